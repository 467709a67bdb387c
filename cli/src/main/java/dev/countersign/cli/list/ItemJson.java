package dev.countersign.cli.list;

import dev.countersign.protocol.DecimalText;
import java.io.StringWriter;
import java.math.BigDecimal;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes items as JSON, with decimals as the service writes them. */
final class ItemJson {
  private static final JsonMapper JSON = new JsonMapper();

  private ItemJson() {}

  static String of(JsonNode item) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new PlainDecimals(JSON.createGenerator(text))) {
      JSON.writeTree(json, item);
    }
    return text.toString();
  }

  private static final class PlainDecimals extends JsonGeneratorDelegate {
    PlainDecimals(JsonGenerator json) {
      super(json, false);
    }

    @Override
    public JsonGenerator writeNumber(BigDecimal decimal) {
      super.writeNumber(DecimalText.of(decimal));
      return this;
    }
  }
}
