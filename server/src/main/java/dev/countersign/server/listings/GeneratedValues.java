package dev.countersign.server.listings;

import dev.countersign.server.tables.ColumnType;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the values that the server generates to a new record: UUIDs and creation times. */
final class GeneratedValues {
  private final List<Field> generated;
  private final ListingSettings settings;

  GeneratedValues(List<Field> fields, ListingSettings settings) {
    this.generated =
        fields.stream().filter(field -> field.origin() == Field.Origin.SERVER).toList();
    this.settings = settings;
  }

  Map<Field, @Nullable Object> complete(Map<Field, @Nullable Object> given) {
    Map<Field, @Nullable Object> values = new LinkedHashMap<>(given);
    for (Field field : generated) {
      values.put(
          field,
          field.type() == ColumnType.UUID
              ? settings.newId().get()
              : settings.clock().instant().truncatedTo(ChronoUnit.MILLIS));
    }
    return values;
  }
}
