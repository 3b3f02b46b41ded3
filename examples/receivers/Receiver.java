// With a JDK, 17 or later, and no library: WEBHOOK_SECRET=... PORT=3000 java Receiver.java
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final String SECRET = System.getenv("WEBHOOK_SECRET");
    static final int LARGEST_BODY = 1024 * 1024;
    static final Set<String> DONE = ConcurrentHashMap.newKeySet(); // in production, a table with a unique column

    public static void main(String[] args) throws IOException {
        if (SECRET == null || SECRET.isEmpty()) {
            System.err.println("WEBHOOK_SECRET is not set."); // anybody can sign with an empty secret
            System.exit(1);
        }
        System.setProperty("sun.net.httpserver.maxReqTime", "15"); // or silent senders would keep their threads
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 128); // so many connections may wait
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    static void receive(HttpExchange exchange) throws IOException {
        int status = 500; // if acting fails, the event must come again
        try {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1); // the raw bytes, not parsed
            status = answer(exchange.getRequestHeaders(), body);
        } catch (GeneralSecurityException | RuntimeException error) {
            error.printStackTrace();
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    static int answer(Headers headers, byte[] body) throws GeneralSecurityException {
        if (body.length > LARGEST_BODY) return 413;
        if (!isSigned(headers, body)) return 401;
        String id = first(headers, "webhook-id");
        if (!DONE.contains(id)) {
            // Act here, once per webhook-id. The JDK reads no JSON: give the text to Jackson or Gson.
            System.out.println(id + " " + new String(body, UTF_8));
            DONE.add(id);
        }
        return 204;
    }

    static boolean isSigned(Headers headers, byte[] body) throws GeneralSecurityException {
        // webhook-signature covers the id and the time of sending too. During a rotation it is two, with a space between.
        String id = first(headers, "webhook-id");
        String sent = first(headers, "webhook-timestamp");
        if (id.isEmpty() || !sent.matches("[0-9]{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(sent)) > 300) return false;
        byte[] key = Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", ""));
        byte[] front = (id + "." + sent + ".").getBytes(UTF_8);
        String whole = "v1," + Base64.getEncoder().encodeToString(hmac(key, front, body));
        if (!isOneOf(whole, first(headers, "webhook-signature").split(" "))) return false;

        // This one covers the body alone. During a rotation the new secret's stands in -Next.
        String plain = HexFormat.of().formatHex(hmac(SECRET.getBytes(UTF_8), body));
        return isOneOf(plain, first(headers, "X-Service-Signature"), first(headers, "X-Service-Signature-Next"));
    }

    static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) mac.update(part);
        return mac.doFinal();
    }

    static boolean isOneOf(String expected, String... given) {
        for (String one : given) {
            if (MessageDigest.isEqual(one.getBytes(UTF_8), expected.getBytes(UTF_8))) return true;
        }
        return false;
    }

    static String first(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }
}
