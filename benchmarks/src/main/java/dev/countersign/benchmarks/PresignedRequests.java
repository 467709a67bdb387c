package dev.countersign.benchmarks;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a thousand signed GETs of the demo's wallets for wrk. Each line has the target and the
 * headers, separated by tabs.
 *
 * <p>Every page is full. Pages have twenty rows on average, in each order that has an index.
 */
public final class PresignedRequests {
  private static final String COLLECTION = "/ledger/v1/wallets";
  private static final int PAGES = 10; // of at most 22 rows, out of the demo's 250
  private static final List<Integer> SIZES = List.of(18, 19, 20, 21, 22);

  /**
   * Twenty spellings of seven orders, one of them the default: a URL is signed as it is spelled.
   */
  private static final List<String> QUERIES = queries();

  private PresignedRequests() {}

  /**
   * Signs the requests now; they are valid for five minutes.
   *
   * @param args the service's URL, the clientId, the file of its private key, the file to write
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 4) {
      throw new IllegalArgumentException("give URL, clientId, private key file, file to write");
    }
    MessageSigner signer = signer(args[1], Path.of(args[2]));
    Files.write(Path.of(args[3]), lines(args[0], signer, Instant.now()));
  }

  static MessageSigner signer(String clientId, Path privateKey) throws IOException {
    CryptoProvider crypto = CryptoProvider.jdk();
    return new MessageSigner(
        PartnerProfile.REQUEST,
        new SigningKey(
            clientId,
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPrivateKeys.readFile(privateKey, crypto),
            crypto));
  }

  static List<String> lines(String url, MessageSigner signer, Instant created) {
    List<String> lines = new ArrayList<>();
    for (String target : targets()) {
      Map<String, String> headers =
          SignableRequest.of("GET", url + target, created).signedHeaders(signer);
      StringBuilder line = new StringBuilder(target);
      headers.forEach((name, value) -> line.append('\t').append(name).append('\t').append(value));
      lines.add(line.toString());
    }
    return lines;
  }

  /** Returns the targets: each of the queries with every size and every page. */
  static List<String> targets() {
    List<String> targets = new ArrayList<>();
    for (String query : QUERIES) {
      for (int size : SIZES) {
        for (int page = 0; page < PAGES; page++) {
          targets.add(COLLECTION + "?" + String.format(Locale.ROOT, query, page, size));
        }
      }
    }
    return targets;
  }

  private static List<String> queries() {
    List<String> queries = new ArrayList<>();
    for (String property : List.of("name", "currencyCode", "createdAt")) {
      for (String direction : List.of("asc", "desc")) {
        String sort = "sort=" + property + "," + direction;
        queries.add("page=%1$d&size=%2$d&" + sort);
        queries.add("size=%2$d&page=%1$d&" + sort);
        queries.add(sort + "&page=%1$d&size=%2$d");
      }
    }
    queries.add("page=%1$d&size=%2$d");
    queries.add("size=%2$d&page=%1$d");
    return List.copyOf(queries);
  }
}
