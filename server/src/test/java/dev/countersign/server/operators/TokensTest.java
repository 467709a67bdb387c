package dev.countersign.server.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x7f, 0x80, 0xf8, 0xff})
  void id_anyRandomBytes_beginsWithALetter(int each) {
    String id = new Tokens(new Filled((byte) each)).id();
    assertThat(id).matches("[A-Za-z][A-Za-z0-9_-]{19}");
  }

  private static final class Filled extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final byte each;

    private Filled(byte each) {
      this.each = each;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      Arrays.fill(bytes, each);
    }
  }
}
