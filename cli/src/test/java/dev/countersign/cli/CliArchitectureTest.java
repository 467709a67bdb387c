package dev.countersign.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The command line depends on the SDK, and gets time and environment from its root. */
@AnalyzeClasses(packages = "dev.countersign.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
  private static final String CLI = "dev.countersign.cli";

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
              "de.siegmar.fastcsv..",
              "tools.jackson..",
              "org.jspecify..",
              "com.sun.net.httpserver..",
              "java..",
              "javax..");

  @ArchTest static final ArchRule THE_TERMINAL_STANDS_ALONE = mayUse("terminal");

  @ArchTest static final ArchRule CAPTURED_REQUESTS_STAND_ALONE = mayUse("captured");

  @ArchTest static final ArchRule THE_PROXY_STANDS_ALONE = mayUse("proxy");

  @ArchTest
  static final ArchRule EXPLANATIONS_STAND_ON_CAPTURED_REQUESTS = mayUse("explain", "captured");

  @ArchTest
  static final ArchRule PROFILES_STAND_ON_THE_TERMINAL = mayUse("profile", "terminal", "captured");

  @ArchTest static final ArchRule KEYS_STAND_ON_PROFILES = mayUse("keys", "profile", "terminal");

  @ArchTest static final ArchRule LISTS_STAND_ON_PROFILES = mayUse("list", "profile", "terminal");

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

  @ArchTest
  static void simpleName_ofAClass_occursOnce(JavaClasses ignored) {
    Map<String, List<String>> packages =
        chapters(withTheLibraries())
            .collect(
                groupingBy(JavaClass::getSimpleName, mapping(JavaClass::getPackageName, toList())));
    packages.values().removeIf(of -> of.size() == 1);
    assertThat(packages).isEmpty();
  }

  @ArchTest
  static void package_hasAtMost30Classes(JavaClasses ignored) {
    Map<String, Long> sizes =
        chapters(withTheLibraries()).collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(sizes).containsKeys(CLI, "dev.countersign.client", "dev.countersign.signatures");
    sizes.values().removeIf(size -> size <= 30);
    assertThat(sizes).isEmpty();
  }

  private static JavaClasses withTheLibraries() {
    return new ClassFileImporter()
        .withImportOption(new DoNotIncludeTests())
        .importPackages(
            "dev.countersign.cli",
            "dev.countersign.client",
            "dev.countersign.signatures",
            "dev.countersign.pagination",
            "dev.countersign.protocol");
  }

  private static Stream<JavaClass> chapters(JavaClasses classes) {
    return classes.stream()
        .filter(one -> one.isTopLevelClass() && !one.getSimpleName().equals("package-info"));
  }

  /** The packages of this module that it may use, besides itself. */
  private static ArchRule mayUse(String feature, String... others) {
    String[] allowed = new String[others.length + 1];
    allowed[0] = CLI + "." + feature + "..";
    for (int i = 0; i < others.length; i++) {
      allowed[i + 1] = CLI + "." + others[i] + "..";
    }
    return noClasses()
        .that()
        .resideInAPackage(CLI + "." + feature + "..")
        .should()
        .dependOnClassesThat(resideInAPackage(CLI + "..").and(not(resideInAnyPackage(allowed))));
  }
}
