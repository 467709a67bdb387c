package dev.countersign.server.operators;

import dev.countersign.server.audit.Change;
import java.util.LinkedHashMap;
import java.util.Map;

/** A change to an account, for the audit trail. */
public record OperatorChange(
    String action, Operator operator, Map<String, Object> before, Map<String, Object> after) {

  public static OperatorChange added(Operator operator) {
    return new OperatorChange("operator.added", operator, Map.of(), fields(operator));
  }

  public static OperatorChange of(String action, Operator before, Operator after) {
    return new OperatorChange(action, after, fields(before), fields(after));
  }

  public Change entry() {
    return new Change(action, subject(operator), before, after);
  }

  public static String subject(Operator operator) {
    return "operator:" + operator.auditName();
  }

  private static Map<String, Object> fields(Operator operator) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", operator.id());
    fields.put("name", operator.name());
    fields.put("role", operator.role().word());
    fields.put("status", operator.status().word());
    fields.put("source", operator.source().word());
    return fields;
  }
}
