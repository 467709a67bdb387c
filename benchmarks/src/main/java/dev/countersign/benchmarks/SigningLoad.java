package dev.countersign.benchmarks;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignedFields;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Different requests that take turns, so that neither the compiler nor the processor can adapt to
 * one of them.
 */
final class SigningLoad {
  static final int REQUESTS = 64;

  private final List<Signed> requests;
  private int next;

  private SigningLoad(List<Signed> requests) {
    this.requests = List.copyOf(requests);
  }

  /**
   * One request, with the parts of its signature that the yardsticks need.
   *
   * @param request the request as it arrives
   * @param base the bytes that were signed
   * @param signature the signature over these bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // the yardstick copies nothing
  record Signed(ReceivedRequest request, byte[] base, byte[] signature) {}

  /** Creates {@value #REQUESTS} different requests, all signed with the same time. */
  static SigningLoad of(Message message, Partner partner, Instant created) {
    MessageSigner signer = partner.signer();
    byte[] body = message.newBody();
    List<Signed> requests = new ArrayList<>(REQUESTS);
    for (int number = 0; number < REQUESTS; number++) {
      SignableRequest signable = message.signable(number, body, created, partner.crypto());
      SignedFields fields = signer.sign(signable, created);
      requests.add(
          new Signed(
              ReceivedRequest.of(message, number, signable.signedHeaders(signer)),
              fields.base().bytes(),
              bytes(fields.signature())));
    }
    return new SigningLoad(requests);
  }

  private static byte[] bytes(String signature) {
    if (Dictionary.parse(List.of(signature)).get("sig").orElseThrow() instanceof Item item
        && item.value() instanceof ByteSequence sequence) {
      return sequence.bytes();
    }
    throw new IllegalStateException("a signature is a byte sequence, was " + signature);
  }

  Signed next() {
    next = (next + 1) % REQUESTS;
    return requests.get(next);
  }
}
