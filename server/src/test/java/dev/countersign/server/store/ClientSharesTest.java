package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSharesTest {
  @ParameterizedTest
  @CsvSource({"16,50,8", "3,50,1", "2,1,1", "16,100,16"})
  void limit_isAPartOfThePool(int size, int percent, int limit) {
    assertThat(new ClientShares(size, percent).limit()).isEqualTo(limit);
  }

  @Test
  void acquire_beyondTheShare_isRefusedForThisClientOnly() {
    ClientShares shares = new ClientShares(4, 50);
    assertThat(shares.acquire("a", Duration.ZERO)).isTrue();
    assertThat(shares.acquire("a", Duration.ZERO)).isTrue();
    assertThat(shares.acquire("a", Duration.ofMillis(10))).isFalse();
    assertThat(shares.acquire("b", Duration.ZERO)).isTrue();
    shares.release("a");
    assertThat(shares.acquire("a", Duration.ZERO)).isTrue();
  }

  @Test
  void acquire_waiting_succeedsWhenOneIsGivenBack() throws Exception {
    ClientShares shares = new ClientShares(2, 50);
    assertThat(shares.acquire("a", Duration.ZERO)).isTrue();
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(() -> shares.acquire("a", Duration.ofMinutes(1)));
    shares.release("a");
    assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void release_ofNothing_isADefect() {
    ClientShares shares = new ClientShares(2, 50);
    assertThat(shares.acquire("a", Duration.ZERO)).isTrue();
    shares.release("a");
    assertThatThrownBy(() -> shares.release("a")).isInstanceOf(IllegalStateException.class);
  }
}
