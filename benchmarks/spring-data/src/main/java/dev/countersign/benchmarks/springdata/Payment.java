package dev.countersign.benchmarks.springdata;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of a table. The tables differ only in the number of rows. */
@MappedSuperclass
@Immutable
public abstract class Payment {
  @Id private long id;
  private String number = "";
  private String customerId = "";
  private String status = "";
  private @Nullable String reference;
  private BigDecimal amount = BigDecimal.ZERO;

  // A timestamp without a zone, because SQLite's driver reads no other kind.
  @JdbcTypeCode(SqlTypes.TIMESTAMP)
  private Instant bookedAt = Instant.EPOCH;

  public long getId() {
    return id;
  }

  public String getNumber() {
    return number;
  }

  public String getCustomerId() {
    return customerId;
  }

  public String getStatus() {
    return status;
  }

  public @Nullable String getReference() {
    return reference;
  }

  public BigDecimal getAmount() {
    return amount;
  }

  public Instant getBookedAt() {
    return bookedAt;
  }

  /** A row of the smallest table. */
  @Entity(name = "Small")
  @Table(name = "small")
  public static class Small extends Payment {}

  /** A row of the medium table. */
  @Entity(name = "Medium")
  @Table(name = "medium")
  public static class Medium extends Payment {}

  /** A row of the largest table. */
  @Entity(name = "Large")
  @Table(name = "large")
  public static class Large extends Payment {}
}
