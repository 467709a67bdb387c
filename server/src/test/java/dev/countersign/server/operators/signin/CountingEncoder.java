package dev.countersign.server.operators.signin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.security.crypto.password.PasswordEncoder;

/** An encoder that takes no time and remembers the hashes with which passwords were compared. */
final class CountingEncoder implements PasswordEncoder {
  private final List<String> compared = Collections.synchronizedList(new ArrayList<>());

  private final AtomicInteger hashes = new AtomicInteger();
  private Runnable meanwhile = () -> {};

  @Override
  public String encode(CharSequence password) {
    hashes.incrementAndGet();
    return "hash of " + password;
  }

  @Override
  public boolean matches(CharSequence password, String hash) {
    compared.add(hash);
    meanwhile.run();
    return hash.equals("hash of " + password);
  }

  int comparisons() {
    return compared.size();
  }

  int hashes() {
    return hashes.get();
  }

  /** Runs during the comparison of a password. */
  void meanwhile(Runnable work) {
    meanwhile = work;
  }

  void reset() {
    compared.clear();
    hashes.set(0);
  }
}
