package dev.countersign.server.portal;

import dev.countersign.server.store.StoreUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;

/** Shows a page for each exception that no controller handles. */
@ControllerAdvice
final class PortalExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(PortalExceptionHandler.class);

  private final LogLimit limit = new LogLimit();

  @ExceptionHandler
  ModelAndView missing(NotFoundException missing) {
    return page(HttpStatus.NOT_FOUND, "Not found", missing.getMessage());
  }

  @ExceptionHandler
  ModelAndView unavailable(
      StoreUnavailableException failed, HttpServletRequest request, HttpServletResponse response) {
    if (response.isCommitted()) {
      throw failed;
    }
    if (limit.admits(request)) {
      log.warn("the store did not answer: {}", failed.getMessage());
    }
    response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    return page(
        HttpStatus.SERVICE_UNAVAILABLE,
        "The store does not answer",
        failed instanceof StoreUnavailableException.CommitUnknown
            ? "The change may have been made. See what is stored before you try again."
            : "Nothing was changed. Try again in a moment.");
  }

  /**
   * Handles all other exceptions, such as those of Spring for an unknown page, a wrong method or a
   * missing parameter.
   */
  @ExceptionHandler
  ModelAndView other(Exception failed, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    if (response.isCommitted()) {
      // A download that fails midway must not look complete, so the web server closes the
      // connection.
      throw failed;
    }
    HttpStatusCode status = statusOf(failed);
    if (status.is5xxServerError()) {
      if (limit.admits(request)) {
        log.error("a request to the portal failed because of a defect", failed);
      }
      return page(status, "The portal failed", "This is a defect. See the log of the service.");
    }
    return status.value() == HttpStatus.NOT_FOUND.value()
        ? page(status, "Not found", null)
        : page(
            status, "The request cannot be processed", "Go back, reload the page and try again.");
  }

  private static HttpStatusCode statusOf(Exception failed) {
    if (failed instanceof ErrorResponse refused) {
      return refused.getStatusCode();
    }
    // A parameter has the wrong type, or Spring's firewall refused a value when the value was read.
    return failed instanceof TypeMismatchException || failed instanceof RequestRejectedException
        ? HttpStatus.BAD_REQUEST
        : HttpStatus.INTERNAL_SERVER_ERROR;
  }

  private static ModelAndView page(HttpStatusCode status, String title, @Nullable String detail) {
    ModelAndView page = new ModelAndView("error-page");
    page.setStatus(status);
    page.addObject("title", title);
    page.addObject("detail", detail);
    return page;
  }
}
