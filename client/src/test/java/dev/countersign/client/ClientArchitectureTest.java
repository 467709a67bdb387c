package dev.countersign.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.countersign.client.rotation.KeyRotation;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

/** The SDK depends only on the JDK, Jackson and the three libraries below it. */
@AnalyzeClasses(
    packages = "dev.countersign.client",
    importOptions = ClientArchitectureTest.NoTests.class)
class ClientArchitectureTest {
  /** The classes from the same place as this class. */
  static final class NoTests implements ImportOption {
    private static final String TESTS =
        ClientArchitectureTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();

    @Override
    public boolean includes(Location location) {
      return !location.contains(TESTS);
    }
  }

  private static final String CLIENT = "dev.countersign.client";

  @ArchTest
  static final ArchRule THE_SDK_NEEDS_JACKSON_AND_OUR_LIBRARIES_ONLY =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  CLIENT + "..",
                  "dev.countersign.signatures..",
                  "dev.countersign.pagination..",
                  "dev.countersign.protocol..",
                  "tools.jackson..",
                  "java..",
                  "javax..",
                  "org.jspecify.."));

  /** Signing needs no JSON, so it can be used without Jackson. */
  @ArchTest
  static final ArchRule KEYS_NEED_THE_JDK_AND_SIGNATURES_ONLY =
      noClasses()
          .that()
          .resideInAPackage(CLIENT + ".keys..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  CLIENT,
                  CLIENT + ".rotation..",
                  "tools.jackson..",
                  "dev.countersign.pagination.."));

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.countersign.(**)").should().beFreeOfCycles();

  /** Only classes with documented defaults read the clock, the environment or randomness. */
  @ArchTest
  static final ArchRule TIME_AND_ENVIRONMENT_ARE_GIVEN =
      noClasses()
          .that()
          .doNotBelongToAnyOf(CountersignClient.class, RequestSigner.class, KeyRotation.class)
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
          .callMethod(UUID.class, "randomUUID");

  @ArchTest
  static final ArchRule NOTHING_PRINTS =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace");

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)")
          .orShould()
          .haveNameMatching(".*\\.Abstract.*Base");

  @ArchTest
  static final ArchRule NO_FIELD_IS_OPEN = fields().that().areNotStatic().should().notBePublic();
}
