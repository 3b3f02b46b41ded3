// Without a library: WEBHOOK_SECRET=... PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

var secret = os.Getenv("WEBHOOK_SECRET")
var done sync.Map // in production, a table with a unique column

func isSigned(body []byte, header http.Header) bool {
	// webhook-signature covers the id and the time of sending too.
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	whole := "v1," + base64.StdEncoding.EncodeToString(sum(key, id+"."+sent+"."+string(body)))
	if !isOneOf(whole, strings.Split(header.Get("webhook-signature"), " ")) {
		return false
	}

	// This one covers the body alone. During a rotation the new secret's stands in -Next.
	plain := hex.EncodeToString(sum([]byte(secret), string(body)))
	return isOneOf(plain, []string{
		header.Get("X-Service-Signature"),
		header.Get("X-Service-Signature-Next"),
	})
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func isOneOf(expected string, given []string) bool {
	for _, one := range given {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes, not parsed
	if err != nil {
		http.Error(w, "unreadable, or too large", http.StatusBadRequest)
		return
	}
	if !isSigned(body, r.Header) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}

	var request struct {
		Event   string          `json:"event"`
		Payload json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	id := r.Header.Get("webhook-id")
	if _, known := done.Load(id); !known {
		log.Println(id, request.Event) // act here, once per webhook-id
		done.Store(id, true)           // not before: if acting fails, the event must come again
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set.") // anybody can sign with an empty secret
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	server := http.Server{
		Addr:        ":" + port,
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 15 * time.Second, // or senders that say nothing would keep their connections
		IdleTimeout: 2 * time.Minute,  // between two requests: longer than the sender keeps one
	}
	log.Fatal(server.ListenAndServe())
}
