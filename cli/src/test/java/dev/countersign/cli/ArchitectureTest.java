package dev.countersign.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.UUID;

/** The house: the command line stands on the SDK, and gets time and environment from its root. */
@AnalyzeClasses(packages = "dev.countersign.cli", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule STANDS_ON_THE_LIBRARIES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.countersign.cli..",
              "dev.countersign.client..",
              "dev.countersign.signatures..",
              "dev.countersign.pagination..",
              "dev.countersign.protocol..",
              "picocli..",
              "tools.jackson..",
              "org.jspecify..",
              "com.sun.net.httpserver..",
              "java..",
              "javax..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.countersign.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)$")
          .orShould()
          .haveNameMatching(".*\\.Abstract.*Base");

  @ArchTest
  static final ArchRule TIME_AND_ENVIRONMENT_ARE_GIVEN =
      noClasses()
          .that()
          .doNotBelongToAnyOf(Countersign.class)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Clock.class, "systemDefaultZone")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(LocalDateTime.class, "now")
          .orShould()
          .callMethod(OffsetDateTime.class, "now")
          .orShould()
          .callMethod(ZonedDateTime.class, "now")
          .orShould()
          .callConstructor(Date.class)
          .orShould()
          .callMethod(UUID.class, "randomUUID");

  @ArchTest
  static final ArchRule NOTHING_PRINTS_PAST_THE_OUTPUT =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace");

  @ArchTest
  static final ArchRule NO_FIELD_IS_OPEN = fields().that().areNotStatic().should().notBePublic();
}
