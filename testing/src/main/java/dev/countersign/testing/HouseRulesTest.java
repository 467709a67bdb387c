package dev.countersign.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.resolvers.SelectedClassResolverFromClasspath;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules for the code of every module. Surefire runs this class in each module, on the classes that
 * the module has compiled.
 */
class HouseRulesTest {
  private static final Map<String, JavaClasses> COMPILED = new ConcurrentHashMap<>();

  /** The methods that wait without a limit until something happens. */
  private static final List<EndlessWait> ENDLESS =
      List.of(
          new EndlessWait(Future.class, "get"),
          new EndlessWait(Future.class, "join"),
          new EndlessWait(Thread.class, "join"),
          new EndlessWait(CountDownLatch.class, "await"),
          new EndlessWait(CyclicBarrier.class, "await"),
          new EndlessWait(Condition.class, "await"),
          new EndlessWait(Semaphore.class, "acquire"),
          new EndlessWait(Process.class, "waitFor"),
          new EndlessWait(BlockingQueue.class, "take"),
          new EndlessWait(CompletionService.class, "take"),
          new EndlessWait(ExecutorService.class, "close"));

  /** The methods whose result depends on the locale or time zone of the machine. */
  private static final List<MachineDependent> MACHINE_DEPENDENT =
      List.of(
          new MachineDependent(String.class, "format"),
          new MachineDependent(String.class, "formatted"),
          new MachineDependent(String.class, "toLowerCase"),
          new MachineDependent(String.class, "toUpperCase"),
          new MachineDependent(PrintStream.class, "format"),
          new MachineDependent(PrintStream.class, "printf"),
          new MachineDependent(PrintWriter.class, "format"),
          new MachineDependent(PrintWriter.class, "printf"),
          new MachineDependent(Formatter.class, "<init>"),
          new MachineDependent(NumberFormat.class, "getInstance"),
          new MachineDependent(NumberFormat.class, "getIntegerInstance"),
          new MachineDependent(DateTimeFormatter.class, "ofPattern"),
          new MachineDependent(DateTimeFormatterBuilder.class, "toFormatter"),
          new MachineDependent(ZoneId.class, "systemDefault"),
          new MachineDependent(TimeZone.class, "getDefault"));

  private record MachineDependent(Class<?> owner, String method) {
    boolean isUsedBy(JavaAccess<?> access) {
      return access.getName().equals(method)
          && access.getTargetOwner().isAssignableTo(owner)
          && access.getTarget() instanceof CodeUnitAccessTarget target
          && target.getRawParameterTypes().stream()
              .noneMatch(type -> type.isEquivalentTo(Locale.class));
    }
  }

  private record EndlessWait(Class<?> owner, String method) {
    boolean isUsedBy(JavaAccess<?> access) {
      return access.getName().equals(method)
          && access.getTarget() instanceof CodeUnitAccessTarget target
          && target.getRawParameterTypes().isEmpty()
          && access.getTargetOwner().isAssignableTo(owner)
          && !access.getTargetOwner().isEquivalentTo(TestThreads.class);
    }
  }

  @Test
  void tests_thatWait_haveALimit() {
    noClasses()
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "it waits without a limit",
                access -> ENDLESS.stream().anyMatch(wait -> wait.isUsedBy(access))))
        .because("a hang must fail one test: use Waits, TestThreads or Awaitility")
        .allowEmptyShould(true)
        .check(compiled("test-classes"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classes", "test-classes"})
  void code_thatFormats_namesTheLocale(String folder) {
    noClasses()
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "its result depends on the machine",
                access -> MACHINE_DEPENDENT.stream().anyMatch(method -> method.isUsedBy(access))))
        .because("digits, letters and times are the same on every machine: pass Locale.ROOT")
        .allowEmptyShould(true)
        .check(compiled(folder));
  }

  /**
   * Returns the classes in a folder of the module.
   *
   * <p>Design note: ArchUnit also reads the classes that these classes refer to. It is limited to
   * those of the JDK and of this project, which takes half the time.
   */
  private static JavaClasses compiled(String folder) {
    return COMPILED.computeIfAbsent(folder, HouseRulesTest::read);
  }

  private static JavaClasses read(String folder) {
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setClassResolver(SelectedClassResolverFromClasspath.class);
          configuration.setClassResolverArguments("java", "dev.countersign");
          return new ClassFileImporter().importPath(Path.of("target", folder));
        });
  }
}
