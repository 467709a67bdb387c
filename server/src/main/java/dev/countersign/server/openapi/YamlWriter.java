package dev.countersign.server.openapi;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Writes YAML that has the same meaning in <a
 * href="https://yaml.org/spec/1.2.2/#103-core-schema">YAML 1.2</a> and in YAML 1.1.
 *
 * <p>Design note: SnakeYAML quotes only texts that are ambiguous in YAML 1.1. It would not quote
 * {@code 0o17}, which is a number in YAML 1.2, or {@code y}, which is a boolean in YAML 1.1. So
 * this class quotes every value that is a text, and the names of members that could be such a
 * number or boolean. For all other names, SnakeYAML decides.
 */
final class YamlWriter extends Representer {
  private static final Pattern AMBIGUOUS_NAME = Pattern.compile("[yYnN]|[-+.0-9].*");

  private YamlWriter(DumperOptions options) {
    super(options);
    representers.put(String.class, text -> quoted((String) text));
    representers.put(BigDecimal.class, number -> plain((BigDecimal) number));
  }

  /** Writes a document of maps, lists, texts, numbers, booleans and nulls. */
  static String write(Object root) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setAllowUnicode(true);
    options.setSplitLines(false);
    options.setDereferenceAliases(true);
    return new Yaml(new YamlWriter(options), options).dump(root);
  }

  private Node quoted(String text) {
    return representScalar(Tag.STR, text, ScalarStyle.DOUBLE_QUOTED);
  }

  /**
   * Writes a number without an exponent, because the two versions of YAML write exponents
   * differently.
   */
  private Node plain(BigDecimal number) {
    return number.scale() > 0
        ? representScalar(Tag.FLOAT, number.toPlainString())
        : representScalar(Tag.INT, number.toPlainString());
  }

  @Override
  protected Node representMapping(Tag tag, Map<?, ?> mapping, DumperOptions.FlowStyle style) {
    MappingNode node = (MappingNode) super.representMapping(tag, mapping, style);
    node.setValue(
        node.getValue().stream()
            .map(tuple -> new NodeTuple(name(tuple.getKeyNode()), tuple.getValueNode()))
            .toList());
    return node;
  }

  private static Node name(Node key) {
    ScalarNode scalar = (ScalarNode) key;
    ScalarStyle style =
        AMBIGUOUS_NAME.matcher(scalar.getValue()).matches()
            ? ScalarStyle.SINGLE_QUOTED
            : ScalarStyle.PLAIN;
    return new ScalarNode(scalar.getTag(), scalar.getValue(), null, null, style);
  }
}
