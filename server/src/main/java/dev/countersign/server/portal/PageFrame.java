package dev.countersign.server.portal;

import dev.countersign.server.operators.Operator;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** The model of every page: the operator who has signed in, and the format of times. */
@ControllerAdvice
final class PageFrame {
  private final Clock clock;

  PageFrame(Clock clock) {
    this.clock = clock;
  }

  @ModelAttribute("moments")
  Moments moments() {
    return new Moments(clock.instant());
  }

  @ModelAttribute("operator")
  @Nullable Operator operator(@AuthenticationPrincipal @Nullable Operator operator) {
    return operator;
  }
}
