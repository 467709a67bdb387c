package dev.countersign.server.tables;

import dev.countersign.server.tables.TableDialect.ForeignKey;
import dev.countersign.server.tables.TableDialect.UniqueIndex;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The catalog of a database, which describes its tables; see {@link TableDialect}. */
interface TableCatalog {
  List<TableName> relations(JdbcClient sql);

  Optional<Table> describe(JdbcClient sql, TableName name);

  List<TableName> namesakes(JdbcClient sql, TableName name);

  List<ForeignKey> foreignKeys(JdbcClient sql, Table table);

  List<UniqueIndex> uniqueIndexes(JdbcClient sql, Table table);
}
