/**
 * Signatures for {@link java.net.http.HttpClient}: its requests and responses as a signature sees
 * them.
 *
 * <p>A request is signed as the last thing before it is sent:
 *
 * <pre>{@code
 * HttpRequestSigner signer = new HttpRequestSigner(messageSigner, CryptoProvider.jdk());
 * HttpRequest signed = signer.sign(request, clock.instant());
 * HttpResponse<byte[]> response = client.send(signed, BodyHandlers.ofByteArray());
 * }</pre>
 *
 * <p>A response is verified as {@link dev.countersign.signatures.httpclient.HttpClientResponse},
 * which also knows the request that it answers.
 *
 * <p>The module {@code java.net.http} is not needed by the rest of this library, and a run-time
 * image without it will do. A module that uses this package says {@code requires java.net.http}
 * itself.
 */
package dev.countersign.signatures.httpclient;
