package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

class BoundedLoginsTest {
  private static final SQLException SILENCE =
      new SQLException("no answer", "08001", new SocketTimeoutException());
  private static final SQLException REFUSAL = new SQLException("refused", "08001");

  // How long each attempt waited for answers, in seconds.
  private final List<Long> attempts = new ArrayList<>();
  private final List<Object> networkTimeouts = new ArrayList<>();

  @Test
  void silentHost_atAStart_getsMoreTimeInEachAttempt() throws SQLException {
    logins(true, SILENCE, SILENCE).getConnection();
    assertThat(attempts).containsExactly(3L, 6L, 12L);
    assertThat(networkTimeouts).as("after the login").containsExactly(15_000);
  }

  @Test
  void silentHost_thatStaysSilent_endsTheStart() {
    BoundedLogins logins = logins(true, SILENCE, SILENCE, SILENCE, SILENCE, SILENCE);
    assertThatThrownBy(logins::getConnection).isSameAs(SILENCE);
    assertThat(attempts).containsExactly(3L, 6L, 12L, 24L);
  }

  @Test
  void silentHost_whileServing_costsOneAttempt() {
    assertThatThrownBy(logins(false, SILENCE)::getConnection).isSameAs(SILENCE);
    assertThat(attempts).containsExactly(3L);
  }

  @Test
  void refusal_endsAtOnce() {
    assertThatThrownBy(logins(true, REFUSAL)::getConnection).isSameAs(REFUSAL);
    assertThat(attempts).hasSize(1);
  }

  private BoundedLogins logins(boolean isPatient, SQLException... failures) {
    BoundedLogins logins =
        new BoundedLogins(
            answering -> source(answering, List.of(failures)),
            () -> isPatient,
            failure -> failure.getCause() instanceof SocketTimeoutException,
            Duration.ofSeconds(15));
    logins.setLoginTimeout(1);
    return logins;
  }

  private DataSource source(Duration answering, List<SQLException> failures) {
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        attempts.add(answering.toSeconds());
        if (attempts.size() <= failures.size()) {
          throw failures.get(attempts.size() - 1);
        }
        return (Connection)
            Proxy.newProxyInstance(
                BoundedLoginsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("setNetworkTimeout");
                  networkTimeouts.add(arguments[1]);
                  return null;
                });
      }

      @Override
      public Connection getConnection(String user, String password) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void setLoginTimeout(int seconds) {
        throw new AssertionError("the driver would go on in a thread that nobody waits for");
      }
    };
  }
}
