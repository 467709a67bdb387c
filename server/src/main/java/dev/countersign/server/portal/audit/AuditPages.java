package dev.countersign.server.portal.audit;

import dev.countersign.server.audit.AuditSearchResult;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.ChainVerification;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the audit trail: search, check and download. */
@Controller
@RequestMapping("/audit")
final class AuditPages {
  private static final int PAGE_SIZE = 50;

  private final AuditTrail audit;

  AuditPages(AuditTrail audit) {
    this.audit = audit;
  }

  @GetMapping
  String list(
      @ModelAttribute("form") AuditForm form,
      @RequestParam(defaultValue = "0") int page,
      Model model) {
    int number = Math.clamp(page, 0, Integer.MAX_VALUE / PAGE_SIZE);
    AuditSearchResult found = audit.page(form.filter(), (long) number * PAGE_SIZE, PAGE_SIZE);
    model.addAttribute("entries", found.entries());
    model.addAttribute("total", found.total());
    model.addAttribute("page", number);
    model.addAttribute("isLast", (number + 1L) * PAGE_SIZE >= found.total());
    return "audit";
  }

  /** Streams the entries, so that a trail of any length can be downloaded. */
  @GetMapping("/audit.csv")
  void export(@ModelAttribute("form") AuditForm form, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/csv;charset=UTF-8");
    response.setHeader("Content-Disposition", "attachment; filename=\"countersign-audit.csv\"");
    audit.exportCsv(form.filter(), response.getWriter());
  }

  /**
   * Checks the whole chain of entries. If an earlier head of the chain is given, also checks that
   * the chain still contains it.
   */
  @GetMapping("/check")
  String check(@RequestParam(required = false) @Nullable String head, Model model) {
    String earlierHead = head == null ? "" : head.strip();
    Optional<String> hash = AuditTrail.parseHash(earlierHead);
    model.addAttribute("head", earlierHead);
    model.addAttribute("isMistyped", !earlierHead.isEmpty() && hash.isEmpty());
    ChainVerification found = hash.map(audit::verify).orElseGet(audit::verify);
    model.addAttribute("found", found);
    model.addAttribute("isIntact", found instanceof ChainVerification.Intact);
    return "audit-check";
  }
}
