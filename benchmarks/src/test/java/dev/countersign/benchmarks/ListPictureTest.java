package dev.countersign.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ListPictureTest {

  @Test
  void picture_hasALineForEachRequestOfEachDatabase() throws Exception {
    String svg =
        ListPicture.draw(
            Stream.of(
                    "sqlite|position|number,asc|0.0|large|cursor none|3|800|1.0",
                    "sqlite|position|number,asc|1.0|large|cursor none|3|900|1.0",
                    "sqlite|position|number,asc|0.0|large-cached|page cached|3|1|1.0",
                    "postgresql|position|number,asc|0.5|large|page exact|3|5e6|1.0",
                    "postgresql|position|id,asc|0.5|large|page exact|3|1|1.0",
                    "postgresql|first|id,asc|0.0|large|page exact|3|1|1.0",
                    "sqlite|position|number,asc|0.0|small|page exact|3|1|1.0")
                .map(line -> line.replace('|', '\t'))
                .toList(),
            10_000_000);
    Document picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    assertThat(picture.getElementsByTagName("desc").item(0).getTextContent())
        .isEqualTo(
            "SQLite, first and last page: Countersign, by cursor 0.8 ms and 0.9 ms;"
                + " Countersign, by number, cached total 0.0 ms and 0.0 ms."
                + " PostgreSQL, first and last page: Countersign, by number, exact total 5.0 s"
                + " and 5.0 s.");
    assertThat(svg.lines().filter(line -> line.contains("fill=\"none\""))).hasSize(3);
    assertThat(svg)
        .contains(">1 µs<", ">100 µs<", ">10 ms<", ">10 s<", "10,000,000 records")
        .doesNotContain("NaN");
  }

  @Test
  void picture_withoutTimes_isRefused() {
    assertThatThrownBy(() -> ListPicture.draw(List.of(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no times of the largest list");
  }
}
