/**
 * HTTP Message Signatures (RFC 9421), from the text that is signed to the proof that it verified.
 *
 * <p>A signer picks parts of a request, its <em>components</em>, and writes each as a line of a
 * text, the {@linkplain dev.countersign.signatures.SignatureBase signature base}:
 *
 * <pre>
 * "@method": GET
 * "@target-uri": https://api.example.com/ledger/v1/wallets?page=0
 * "date": Tue, 05 Mar 2024 07:08:09 GMT
 * "@signature-params": ("@method" "@target-uri" "date");created=1709622489;keyid="cl-…";alg="rsa-v1_5-sha256"
 * </pre>
 *
 * <p>The text is signed and never sent. The request carries the list of components and the
 * parameters in Signature-Input, the signature in Signature, and the verifier builds the same text
 * from what it received. If a single byte of a covered part changed on the way, the texts differ
 * and the signature does not verify. A body is covered through its Content-Digest (RFC 9530).
 *
 * <p>To verify, give a {@link dev.countersign.signatures.MessageVerifier} a {@linkplain
 * dev.countersign.signatures.SignatureProfile profile}, which says what a signature must cover and
 * how old it may be, and a {@linkplain dev.countersign.signatures.KeyLookup lookup} of keys. It
 * answers with a {@link dev.countersign.signatures.VerifiedSignature} or throws a {@link
 * dev.countersign.signatures.VerificationException} that says why. To sign, give a {@link
 * dev.countersign.signatures.MessageSigner} a {@link dev.countersign.signatures.SigningKey}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421">RFC 9421</a>
 */
package dev.countersign.signatures;
