package dev.countersign.cli.explain;

import dev.countersign.signatures.diagnosis.BaseDifference;
import dev.countersign.signatures.diagnosis.BodyDifference;
import dev.countersign.signatures.diagnosis.LikelyCause;
import java.util.Optional;

/**
 * The reason why a request is refused, in words for people.
 *
 * @param sentence what happened and how to fix it, one line without a full stop
 * @param drawing the two texts with a caret under their first difference; empty if there is nothing
 *     to compare
 */
public record Cause(String sentence, Optional<String> drawing) {

  static Cause of(String sentence) {
    return new Cause(sentence, Optional.empty());
  }

  static Cause of(BaseDifference difference) {
    return new Cause(
        difference
            .likelyCause()
            .map(LikelyCause::sentence)
            .orElse("the two signature bases differ: sign the first different line as it is sent"),
        Optional.of(difference.drawing()));
  }

  static Cause of(BodyDifference difference) {
    return new Cause(
        difference
            .likelyCause()
            .map(LikelyCause::sentence)
            .orElse("the body was changed after it was hashed: hash the bytes that you send"),
        Optional.of(difference.drawing()));
  }
}
