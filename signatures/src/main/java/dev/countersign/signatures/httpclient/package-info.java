/**
 * Signatures for {@link java.net.http.HttpClient}: adapters for its requests and responses.
 *
 * <p>Sign a request as the last step before sending it:
 *
 * <pre>{@code
 * HttpRequestSigner signer = new HttpRequestSigner(messageSigner, CryptoProvider.jdk());
 * HttpRequest signed = signer.sign(request, clock.instant());
 * HttpResponse<byte[]> response = client.send(signed, BodyHandlers.ofByteArray());
 * }</pre>
 *
 * <p>To verify a response, wrap it in {@link
 * dev.countersign.signatures.httpclient.HttpClientResponse}, which also knows the request that the
 * response answers.
 *
 * <p>The rest of this library does not need the module {@code java.net.http}, so a run-time image
 * may omit it. A module that uses this package must declare {@code requires java.net.http}.
 */
package dev.countersign.signatures.httpclient;
