package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Checks that any query is accepted or refused, and that no other exception is thrown. */
class HostileQueryTest {
  /** The number of queries to try. The full run, which sets countersign.full, tries more. */
  private static final int ROUNDS = Boolean.getBoolean("countersign.full") ? 200_000 : 20_000;

  private static final PageRules RULES = PageRules.sortableBy("name", "createdAt");
  private static final String[] PIECES = {
    "page",
    "size",
    "sort",
    "offset",
    "=",
    "=",
    "=",
    "&",
    "&",
    "0",
    "1",
    "20",
    "100",
    "101",
    "-1",
    "99999999999999999999",
    "name",
    "createdAt",
    ",",
    "%2C",
    "asc",
    "desc",
    "DESC",
    "%",
    "%2",
    "%zz",
    "%00",
    "%FF",
    "%C3%B6",
    "+",
    "#",
    "?",
    ";",
    "<",
    ">",
    "\"",
    "\r\n",
    "ö",
    "\uD800",
    " "
  };

  @Test
  void parse_randomBytes_isAcceptedOrRefused() {
    assertAcceptedOrRefused(
        random -> {
          byte[] octets = new byte[random.nextInt(24)];
          random.nextBytes(octets);
          return new String(octets, StandardCharsets.ISO_8859_1);
        });
  }

  @Test
  void parse_randomPieces_isAcceptedOrRefusedAndLinksStayWellFormed() {
    int acceptedCount =
        assertAcceptedOrRefused(
            random -> {
              StringBuilder query = new StringBuilder();
              for (int pieces = random.nextInt(12); pieces > 0; pieces--) {
                query.append(PIECES[random.nextInt(PIECES.length)]);
              }
              return query.toString();
            });
    assertThat(acceptedCount).as("accepted queries, whose links were checked").isGreaterThan(1000);
  }

  private static int assertAcceptedOrRefused(Function<Random, String> queries) {
    Random random = new Random(9421);
    int acceptedCount = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String query = queries.apply(random);
      PageRequest request;
      try {
        request = PageRequest.parse(query, RULES);
      } catch (PageParameterException refusal) {
        assertThat(refusal.getMessage()).matches("[^\\p{Cntrl}\uD800]*");
        assertThat(refusal.getMessage().length()).isLessThan(400);
        continue;
      }
      assertWellFormed(query, request);
      acceptedCount++;
    }
    return acceptedCount;
  }

  private static void assertWellFormed(String query, PageRequest request) {
    PageEnvelope page = PageEnvelope.of(request, 1000, 0);
    PageLinks links = PageLinks.of("https://a.example/v1/b?" + query, request, page);
    assertThat(links.toLinkHeader())
        .matches("<[!-;=?-~]+>; rel=\"first\"(, <[!-;=?-~]+>; rel=\"(prev|next|last)\"){0,3}");
    assertThat(links.last().isPresent()).isEqualTo(request.wantsTotals());
    PageRequest first = PageRequest.parse(URI.create(links.first()).getRawQuery(), RULES);
    assertThat(first.offset()).isZero();
    assertThat(first.size()).isEqualTo(request.size());
    assertThat(first.sort()).isEqualTo(request.sort());
    assertThat(first.byOffset()).isEqualTo(request.byOffset());
  }
}
