package dev.countersign.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/**
 * Rules for the code of every module. Surefire runs this class in each module, on the classes that
 * the module has compiled.
 */
class HouseRulesTest {
  /** The methods that wait until something happens, however long that takes. */
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

  private record EndlessWait(Class<?> owner, String method) {
    boolean isCalledBy(JavaCall<?> call) {
      return call.getName().equals(method)
          && call.getTarget().getRawParameterTypes().isEmpty()
          && call.getTargetOwner().isAssignableTo(owner)
          && !call.getTargetOwner().isEquivalentTo(TestThreads.class);
    }
  }

  @Test
  void tests_thatWait_haveALimit() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "it waits without a limit",
                call -> ENDLESS.stream().anyMatch(wait -> wait.isCalledBy(call))))
        .because("a hang must fail one test: use Waits, TestThreads or Awaitility")
        .allowEmptyShould(true)
        .check(compiled("test-classes"));
  }

  private static JavaClasses compiled(String folder) {
    return new ClassFileImporter().importPath(Path.of("target", folder));
  }
}
