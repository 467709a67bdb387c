package dev.countersign.server.portal;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.audit.Author;
import dev.countersign.server.operators.Operator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Resolves a controller's {@link Author} argument to the operator who has signed in. */
@Component
final class AuthorArgument implements HandlerMethodArgumentResolver {
  private final TrustedProxies trustedProxies;

  AuthorArgument(TrustedProxies trustedProxies) {
    this.trustedProxies = trustedProxies;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType().equals(Author.class);
  }

  @Override
  public Author resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer page,
      NativeWebRequest webRequest,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest request =
        Objects.requireNonNull(webRequest.getNativeRequest(HttpServletRequest.class));
    if (request.getUserPrincipal() instanceof Authentication signedIn
        && signedIn.getPrincipal() instanceof Operator operator) {
      return operator.author(trustedProxies.addressOf(request));
    }
    throw new IllegalStateException("no operator is signed in: the security chain did not run");
  }
}
