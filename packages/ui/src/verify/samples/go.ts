export function go(signatureHeader: string): string {
  return `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // the raw bytes, not parsed
		if err != nil {
			http.Error(w, "unreadable", http.StatusBadRequest)
			return
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		given, _ := hex.DecodeString(r.Header.Get("${signatureHeader}"))
		if !hmac.Equal(given, mac.Sum(nil)) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}

		var request struct {
			Event   string          \`json:"event"\`
			Payload json.RawMessage \`json:"payload"\`
		}
		if err := json.Unmarshal(body, &request); err != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		log.Println(r.Header.Get("webhook-id"), request.Event) // act once per webhook-id
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":3000", nil))
}
`;
}
