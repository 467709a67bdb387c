package dev.countersign.server.portal.requests;

import dev.countersign.server.clients.KeyPreview;
import dev.countersign.server.portal.NotFoundException;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestRecordStore;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;

/**
 * The page of one request: its data, the checks that it passed, and a comparison of its signature
 * base with a pasted one.
 */
@Controller
@RequestMapping("/requests/{id}")
final class RequestDetailPages {
  private final RequestRecordStore records;
  private final RequestTable table;

  RequestDetailPages(RequestRecordStore records, RequestTable table) {
    this.records = records;
    this.table = table;
  }

  @GetMapping
  ModelAndView open(@PathVariable long id) {
    return page(find(id));
  }

  /** Compares a pasted signature base with the stored one. The pasted base is not stored. */
  @PostMapping("/comparison")
  ModelAndView compare(
      @PathVariable long id, @RequestParam String base, HttpServletRequest request) {
    RequestDetails details = find(id);
    String rebuilt = details.signatureBase();
    if (rebuilt == null) {
      throw new NotFoundException("There is no stored signature base for this request.");
    }
    if (KeyPreview.containsPrivateKey(base)) {
      // Does not show the pasted text again.
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
    }
    BaseComparison comparison = BaseComparison.of(base, rebuilt);
    if (request.getHeader("HX-Request") != null) {
      return new ModelAndView("requests/comparison :: comparison", "comparison", comparison);
    }
    ModelAndView page = page(details).addObject("comparison", comparison);
    if (comparison.verdict() == BaseComparison.Verdict.TOO_LARGE) {
      page.setStatus(HttpStatus.CONTENT_TOO_LARGE);
      return page;
    }
    return page.addObject("pasted", base);
  }

  /**
   * Redirects to the page of the request. A browser requests this address when it reloads the
   * comparison, also after a new sign-in.
   */
  @GetMapping("/comparison")
  String reload(@PathVariable long id) {
    return "redirect:" + FilterForm.REQUESTS + "/" + id;
  }

  private RequestDetails find(long id) {
    return records
        .find(id)
        .orElseThrow(
            () -> new NotFoundException("This request does not exist or is no longer stored."));
  }

  private ModelAndView page(RequestDetails details) {
    RequestRow row = table.rows(List.of(details.request())).getFirst();
    return new ModelAndView("requests/request", "opened", new RequestDetailView(row, details))
        .addObject("maxKibibytes", BaseComparison.MAX_BYTES / 1024);
  }
}
