/**
 * HTTP Message Signatures (RFC 9421), from the text that is signed to the proof that its signature
 * is valid.
 *
 * <h2>What is signed</h2>
 *
 * <p>A signer picks parts of a message, its <em>components</em>, and writes each as a line of a
 * text, the {@linkplain dev.countersign.signatures.base.SignatureBase signature base}:
 *
 * <pre>
 * "@method": GET
 * "@target-uri": https://api.example.com/ledger/v1/wallets?page=0
 * "date": Tue, 05 Mar 2024 07:08:09 GMT
 * "@signature-params": ("@method" "@target-uri" "date");created=1709622489;keyid="cl-…";alg="rsa-v1_5-sha256"
 * </pre>
 *
 * <p>A component is a field, named in lower case, or a value <em>derived</em> from the request line
 * or the status: {@code @method}, {@code @target-uri}, {@code @authority}, {@code @scheme}, {@code
 * @request-target}, {@code @path}, {@code @query}, {@code @query-param}, {@code @status}.
 * Parameters narrow a component: {@code "content-digest";req} is the digest of the request that a
 * response answers, {@code "cache-control";tr} is in the trailers, {@code "priority";sf} is spelled
 * canonically, {@code "signature";key="sig1"} is one member, {@code "set-cookie";bs} is byte for
 * byte. An identifier consists of the name <em>and</em> the parameters; see {@link
 * dev.countersign.signatures.base.ComponentIdentifier}.
 *
 * <p>The last line says how the signature was made: {@code created} and {@code expires} limit how
 * long it is valid, {@code keyid} names the key, {@code alg} the algorithm, {@code nonce} is used
 * once, {@code tag} names the application ({@link
 * dev.countersign.signatures.base.SignatureParameters}).
 *
 * <h2>What is sent</h2>
 *
 * <p>The base is signed and never sent. The message carries the text of the last line in
 * Signature-Input and the signature in Signature, both under the same label. A message may have
 * several signatures:
 *
 * <pre>
 * Signature-Input: sig=("@method" "@target-uri" "date");created=1709622489;keyid="cl-…";alg="…"
 * Signature: sig=:b64…:
 * </pre>
 *
 * <p>The verifier builds the same text from what it received. If a byte of a covered part changed
 * on the way, the texts differ and the signature does not verify. Parts that are not covered may
 * have changed. A body is covered only through its {@linkplain dev.countersign.signatures.digest
 * Content-Digest}, so the digest has to be covered <em>and</em> compared.
 *
 * <h2>What a verifier decides</h2>
 *
 * <p>A valid signature says little by itself, because a signature over no components is valid as
 * well. An application must state its requirements (RFC 9421 section 1.4), in a {@link
 * dev.countersign.signatures.SignatureProfile}. The algorithm comes from the key's registration, a
 * {@link dev.countersign.signatures.VerificationKey}, and never from the message. A {@link
 * dev.countersign.signatures.MessageVerifier} is created from a profile and a {@link
 * dev.countersign.signatures.KeyLookup}. It returns a {@link
 * dev.countersign.signatures.VerifiedSignature} or throws a {@link
 * dev.countersign.signatures.base.VerificationException} with the reason. To run your own cheap
 * checks between the steps of the verifier, call these steps yourself. Each step returns the object
 * that has the next step:
 *
 * <pre>{@code
 * profile.read(message)          // ClaimedSignature: both fields, well-formed
 *     .checkProfile()            // ReceivedSignature: components, parameters
 *     .checkTime(now)            // FreshSignature: created, expires, Date
 *     .checkDigest()             // VerifiableSignature: Content-Digest as the framing asks
 *     .verify(keys)              // VerifiedHead: the signature itself
 *     .verifyBody(body, crypto)  // VerifiedSignature: the digest
 * }</pre>
 *
 * <h2>Signing, answering, asking</h2>
 *
 * <p>A {@link dev.countersign.signatures.MessageSigner} signs any {@link
 * dev.countersign.signatures.base.RequestMessage} or {@link
 * dev.countersign.signatures.base.ResponseMessage}; {@link
 * dev.countersign.signatures.SignableRequest} and {@link
 * dev.countersign.signatures.SignableResponse} build such a message from its parts. A response that
 * covers components of its request with {@code req} cannot be passed off as the answer to another
 * request. {@link dev.countersign.signatures.AcceptSignature} asks the other side for a signature,
 * and {@link dev.countersign.signatures.MessageSigner#answer} answers it.
 *
 * <p>Design note: this package has 30 files, because the steps from a received to a verified
 * message create each other through constructors that nobody else can call.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421">RFC 9421</a>
 */
package dev.countersign.signatures;
