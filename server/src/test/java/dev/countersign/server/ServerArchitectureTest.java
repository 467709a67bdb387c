package dev.countersign.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.UUID;

/** The architecture: modules by concern, packages by feature, and dependencies only downwards. */
@AnalyzeClasses(
    // The libraries that the service consists of. Its tests use one more.
    packages = {
      "dev.countersign.server",
      "dev.countersign.signatures",
      "dev.countersign.pagination",
      "dev.countersign.protocol"
    },
    importOptions = {DoNotIncludeTests.class, ServerArchitectureTest.NoTestJars.class})
class ServerArchitectureTest {

  /** Tests of other modules are in jars. */
  static final class NoTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String SERVER = "dev.countersign.server";

  @ArchTest static final ArchRule SIGNATURES_NEED_THE_JDK_ONLY = needsTheJdkOnly("signatures");

  @ArchTest static final ArchRule PAGINATION_NEEDS_THE_JDK_ONLY = needsTheJdkOnly("pagination");

  @ArchTest
  static final ArchRule PROTOCOL_NEEDS_SIGNATURES_ONLY =
      classes()
          .that()
          .resideInAPackage("dev.countersign.protocol..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.countersign.protocol..",
                  "dev.countersign.signatures..",
                  "java..",
                  "org.jspecify.."));

  @ArchTest static final ArchRule STORE_KNOWS_NO_FEATURE = mayUse("store");

  @ArchTest static final ArchRule TABLES_STAND_ON_THE_STORE = mayUse("tables", "store");

  @ArchTest
  static final ArchRule ACCESS_STANDS_ON_TABLES_AND_STORE = mayUse("access", "tables", "store");

  @ArchTest
  static final ArchRule NETWORK_KNOWS_OUTCOMES = mayUse("access.network", "access.outcome");

  @ArchTest static final ArchRule OUTCOMES_KNOW_NO_FEATURE = mayUse("access.outcome");

  @ArchTest
  static final ArchRule DIRECTORY_STANDS_ON_NETWORK =
      mayUse("access.directory", "access.network", "access.outcome", "tables");

  @ArchTest
  static final ArchRule HTTP_STANDS_ON_ACCESS_AND_STORE = mayUse("http", "access", "store");

  /** So operations cannot change what is recorded of a request, or put another in its place. */
  @ArchTest
  static final ArchRule REQUESTS_ARE_AUTHENTICATED_BY_ACCESS_AND_HTTP =
      noClasses()
          .that()
          .resideOutsideOfPackages(SERVER + ".access..", SERVER + ".http..")
          .should()
          .dependOnClassesThat(
              nameMatching(
                  ".*\\.(RequestFacts|RequestAuthenticator|BodyMemoryLimiter|SignatureFilter)"))
          .orShould()
          .callMethodWhere(
              JavaCall.Predicates.target(HasName.Predicates.nameMatching("attachTo|find"))
                  .and(
                      JavaCall.Predicates.target(
                          HasOwner.Predicates.With.owner(simpleName("SignedRequest")))));

  @ArchTest
  static final ArchRule THE_PORTAL_STANDS_ON_WHAT_IT_SHOWS =
      mayUse(
          "portal",
          "http",
          "listings",
          "requests",
          "nodes",
          "clients",
          "operators",
          "audit",
          "access",
          "tables",
          "store");

  @ArchTest
  static final ArchRule THE_CONFIGURATION_STANDS_ON_THE_SETTINGS_OF_ALL_PARTS =
      mayUse(
          "config",
          "portal",
          "commands",
          "requests",
          "integrations",
          "listings",
          "http",
          "access",
          "store");

  @ArchTest
  static final ArchRule THE_DEMO_STANDS_ON_COMMANDS_TABLES_AND_STORE =
      mayUse("demo", "commands", "tables", "store");

  @ArchTest
  static final ArchRule NOTHING_STANDS_ON_THE_APP =
      noClasses()
          .that()
          .resideOutsideOfPackage(SERVER + ".app")
          .should()
          .dependOnClassesThat(resideInAPackage(SERVER + ".app"));

  @ArchTest
  static final ArchRule ONLY_THE_APP_READS_THE_CONFIGURATION =
      noClasses()
          .that()
          .resideOutsideOfPackages(SERVER + ".app", SERVER + ".config")
          .should()
          .dependOnClassesThat(resideInAPackage(SERVER + ".config"));

  @ArchTest static final ArchRule AUDIT_STANDS_ON_THE_STORE = mayUse("audit", "store");

  @ArchTest
  static final ArchRule OPERATORS_STAND_ON_AUDIT_AND_STORE = mayUse("operators", "audit", "store");

  @ArchTest
  static final ArchRule SIGN_IN_STANDS_ON_ACCOUNTS =
      mayUse("operators.signin", "operators", "audit", "store");

  @ArchTest
  static final ArchRule SESSIONS_STAND_ON_SIGN_IN =
      mayUse("operators.sessions", "operators", "store");

  /** They write to the tables of operators, each as a part of a larger transaction. */
  @ArchTest
  static final ArchRule THE_TABLES_OF_OPERATORS_ARE_THEIR_OWN =
      noClasses()
          .that()
          .resideOutsideOfPackage(SERVER + ".operators..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(SERVER + ".operators")
                  .and(
                      nameMatching(
                          ".*\\.(\\w+Rows|Tokens|Addresses|NewOperators|OperatorChange|OperatorNames)"
                              + "(\\$.*)?")));

  @ArchTest
  static final ArchRule CLIENTS_STAND_ON_ACCESS_AUDIT_AND_STORE =
      mayUse("clients", "access", "audit", "store");

  @ArchTest
  static final ArchRule ONCE_STANDS_ON_ACCESS_AND_STORE = mayUse("once", "access", "store");

  /** So no operation can mark a request as not replayed, or identify it in another way. */
  @ArchTest
  static final ArchRule ONLY_ONCE_CHECKS_FOR_REPLAYS =
      noClasses()
          .that()
          .resideOutsideOfPackages(SERVER + ".access..", SERVER + ".once..", SERVER + ".http..")
          .should()
          .callMethodWhere(
              JavaCall.Predicates.target(
                      HasName.Predicates.nameMatching(
                          "replay|operation|idempotencyKey|acceptedUntil|digest"))
                  .and(
                      JavaCall.Predicates.target(
                          HasOwner.Predicates.With.owner(simpleName("SignedRequest")))));

  @ArchTest
  static final ArchRule LISTINGS_STAND_ON_ONCE_ACCESS_TABLES_AND_STORE =
      mayUse("listings", "once", "access", "tables", "store");

  /**
   * The name of a listed table reaches SQL only here. Exceptions: the seeds of the demo's wallets
   * and transactions, the dialects, which describe tables, write the condition that finds a key,
   * and print statements for the operator, and the suggestions, which print names.
   */
  @ArchTest
  static final ArchRule SQL_ON_LISTED_TABLES_IS_WRITTEN_IN_ONE_CLASS =
      noClasses()
          .that()
          .areNotAssignableTo(TableDialect.class)
          .and()
          .haveNameNotMatching(
              ".*\\.(ListingSql|ListingSuggester|Table|PostgresqlCatalog"
                  + "|(Postgresql|Sqlite)Conditions)(\\$.*)?")
          .should()
          .callMethod(Table.class, "sql");

  /** The first runs statements of clients. The second returns no records. */
  @ArchTest
  static final ArchRule SQL_ON_LISTED_TABLES_IS_RUN_IN_TWO_CLASSES =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.(ListingSql|ListingStore|TableProbe)(\\$.*)?")
          .should()
          .dependOnClassesThat(simpleName("ListingSql"));

  @ArchTest
  static final ArchRule TABLES_ARE_READ_IN_THREE_CLASSES =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.(Database|ListingStore|TableProbe|SortIndexes)")
          .should()
          .callMethodWhere(
              JavaCall.Predicates.target(HasName.Predicates.nameMatching("readTables|onTables")));

  /** So no statement of a client can be made without the scope of the client. */
  @ArchTest
  static final ArchRule STATEMENTS_OF_CLIENTS_TAKE_THEIR_SCOPE =
      methods()
          .that()
          .areDeclaredInClassesThat(simpleName("ListingStore"))
          .and()
          .areNotPrivate()
          .and()
          .doNotHaveName("listing")
          .and()
          .doNotHaveName("requestedPage") // runs no statement
          .should(haveAParameter("CallerScope"));

  @ArchTest
  static final ArchRule A_SCOPE_IS_MADE_FROM_THE_CALLING_CLIENT =
      methods()
          .that()
          .areDeclaredInClassesThat(simpleName("CallerScope"))
          .and()
          .haveRawReturnType(simpleName("CallerScope"))
          .should(haveAParameter("CallingClient"));

  @ArchTest
  static final ArchRule A_SCOPE_HAS_NO_OTHER_CONSTRUCTOR =
      constructors()
          .that()
          .areDeclaredInClassesThat(simpleName("CallerScope"))
          .should()
          .bePrivate();

  private static ArchCondition<JavaMethod> haveAParameter(String type) {
    return new ArchCondition<>("have a parameter of type " + type) {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        boolean has =
            method.getRawParameterTypes().stream()
                .anyMatch(parameter -> parameter.getSimpleName().equals(type));
        events.add(new SimpleConditionEvent(method, has, method.getDescription()));
      }
    };
  }

  @ArchTest
  static final ArchRule INTEGRATIONS_STAND_ON_CLIENTS_ACCESS_AND_AUDIT =
      mayUse("integrations", "clients", "once", "access", "audit", "store");

  @ArchTest
  static final ArchRule OPENAPI_STANDS_ON_WHAT_IT_DESCRIBES =
      mayUse("openapi", "listings", "integrations", "once", "access", "tables", "store");

  @ArchTest
  static final ArchRule COMMANDS_STAND_ON_CLIENTS_LISTINGS_AUDIT_AND_STORE =
      mayUse(
          "commands",
          "clients",
          "operators",
          "listings",
          "nodes",
          "audit",
          "access",
          "tables",
          "store");

  @ArchTest
  static final ArchRule NODES_STAND_ON_ACCESS_AND_STORE = mayUse("nodes", "access", "store");

  @ArchTest
  static final ArchRule METRICS_KNOW_ROUTES_AND_HOW_REQUESTS_END =
      mayUse("metrics", "integrations", "listings", "openapi", "access.outcome");

  @ArchTest
  static final ArchRule ONLY_THE_COMMANDS_ABOUT_LISTINGS_KNOW_LISTINGS =
      noClasses()
          .that()
          .resideInAPackage(SERVER + ".commands..")
          .and()
          .resideOutsideOfPackages(SERVER + ".commands", SERVER + ".commands.listings")
          .should()
          .dependOnClassesThat(resideInAPackage(SERVER + ".listings.."));

  @ArchTest
  static final ArchRule THE_COMMANDS_ABOUT_CLIENTS_STAND_ALONE =
      noClasses()
          .that()
          .resideInAPackage(SERVER + ".commands.clients..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SERVER + ".commands.operators..", SERVER + ".commands.audit.."));

  @ArchTest
  static final ArchRule THE_COMMANDS_ABOUT_OPERATORS_STAND_ALONE =
      noClasses()
          .that()
          .resideInAPackage(SERVER + ".commands.operators..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SERVER + ".commands.clients..", SERVER + ".commands.audit.."));

  @ArchTest
  static final ArchRule THE_COMMANDS_ABOUT_THE_AUDIT_STAND_ALONE =
      noClasses()
          .that()
          .resideInAPackage(SERVER + ".commands.audit..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SERVER + ".commands.clients..", SERVER + ".commands.operators.."));

  @ArchTest
  static final ArchRule STATISTICS_KNOW_ONLY_HOW_REQUESTS_END =
      mayUse("requests.statistics", "access.outcome", "store");

  @ArchTest
  static final ArchRule REQUESTS_STAND_ON_ACCESS_AND_STORE = mayUse("requests", "access", "store");

  @ArchTest
  static final ArchRule ONLY_LISTINGS_PAGE =
      noClasses()
          .that()
          .resideInAnyPackage(
              SERVER + ".store..",
              SERVER + ".tables..",
              SERVER + ".access..",
              SERVER + ".once..",
              SERVER + ".http..",
              SERVER + ".audit..",
              SERVER + ".operators..",
              SERVER + ".clients..",
              SERVER + ".requests..",
              SERVER + ".commands..")
          .should()
          .dependOnClassesThat(resideInAPackage("dev.countersign.pagination.."));

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.countersign.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Impl")
          .orShould()
          .haveNameMatching(".*\\.Abstract.*Base");

  @ArchTest
  static final ArchRule TIME_AND_ENVIRONMENT_ARE_GIVEN =
      noClasses()
          .that()
          .resideOutsideOfPackage(SERVER + ".app")
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
  static final ArchRule NOTHING_PRINTS_BUT_COMMANDS =
      noClasses()
          .that()
          .resideOutsideOfPackages(SERVER + ".app", SERVER + ".commands..")
          // It says which lines of requests the log did not accept.
          .and()
          .doNotHaveSimpleName("HttpConfiguration")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace");

  /**
   * An object of the access path serves all requests concurrently. These do not: they belong to one
   * request or one run, which one thread at a time handles. A bucket is locked by its methods.
   */
  private static final String OBJECTS_WITH_STATE =
      ".*\\.(RequestFacts|CommitAttempts|BodyMemoryLimiter\\$Reservation"
          + "|BodyDrainValve\\$DiscardedBytes|ReplayPurge\\$Expired|Bucket)";

  @ArchTest
  static final ArchRule THE_ACCESS_PATH_KEEPS_NO_STATE =
      fields()
          .that()
          .areDeclaredInClassesThat(
              resideInAnyPackage(SERVER + ".access..", SERVER + ".once..", SERVER + ".http..")
                  .and(not(nameMatching(OBJECTS_WITH_STATE))))
          .should()
          .beFinal();

  @ArchTest
  static final ArchRule STATIC_FIELDS_ARE_FINAL = fields().that().areStatic().should().beFinal();

  @ArchTest
  static final ArchRule NO_FIELD_IS_OPEN =
      fields()
          .that()
          .areNotStatic()
          .and()
          .areDeclaredInClassesThat(resideInAnyPackage(SERVER + ".."))
          .should()
          .notBePublic();

  private static ArchRule needsTheJdkOnly(String module) {
    return classes()
        .that()
        .resideInAPackage("dev.countersign." + module + "..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "dev.countersign." + module + "..", "java..", "javax..", "org.jspecify.."));
  }

  /** The packages of the server that it may use, besides itself. */
  private static ArchRule mayUse(String feature, String... others) {
    String[] allowed = new String[others.length + 1];
    allowed[0] = SERVER + "." + feature + "..";
    for (int i = 0; i < others.length; i++) {
      allowed[i + 1] = SERVER + "." + others[i] + "..";
    }
    return noClasses()
        .that()
        .resideInAPackage(SERVER + "." + feature + "..")
        .should()
        .dependOnClassesThat(resideInAPackage(SERVER + "..").and(not(resideInAnyPackage(allowed))));
  }
}
