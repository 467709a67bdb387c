package dev.countersign.server.portal.clients;

import dev.countersign.server.TestService;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.portal.PortalClient.Answer;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The actions of an operator on the API Keys pages, as requests. */
final class ApiKeysPages {
  static final String LIST = "/integrations/api-keys";
  static final String CLIENT = LIST + "/client";

  private final TestService service;
  private final PortalClient operator;

  ApiKeysPages(TestService service, PortalClient operator) {
    this.service = service;
    this.operator = operator;
  }

  static String pem(KeyPair keys) {
    return RsaPublicKeys.toPem((RSAPublicKey) keys.getPublic());
  }

  static String privatePem(KeyPair keys) {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  /** The fields of + Client, all of them valid. */
  static Map<String, String> form(String name, KeyPair keys) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("name", name);
    form.put("whitelist", "127.0.0.1\n::1\n");
    form.put("roles", "ledger-viewer");
    form.put("publicKey", pem(keys));
    return form;
  }

  /** Adds a client with the form and returns its clientId. */
  String add(Map<String, String> form) {
    String location = operator.post(LIST, form).expect(302).header("location");
    String id = location.replaceAll(".*[?&]id=([^&]*).*", "$1");
    return URLDecoder.decode(id, StandardCharsets.UTF_8);
  }

  /** Adds a client as a command would, with a generated id if none is given. */
  Client existing(@Nullable String clientId, String name, KeyPair keys) {
    return clients()
        .add(
            new NewClient(
                name,
                List.of("127.0.0.1", "::1"),
                List.of("ledger-viewer"),
                (RSAPublicKey) keys.getPublic(),
                clientId));
  }

  Answer list(String query) {
    return operator.get(LIST + query).expect(200);
  }

  Answer show(String id) {
    return operator.get(of(CLIENT, id));
  }

  Answer post(String path, String id, String... more) {
    return operator.post(path, fields(id, more));
  }

  static Map<String, String> fields(String id, String... more) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("id", id);
    for (int i = 0; i < more.length; i += 2) {
      fields.put(more[i], more[i + 1]);
    }
    return fields;
  }

  static String of(String path, String id) {
    return path + "?id=" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  Client client(String id) {
    return clients().get(id);
  }

  ClientStore clients() {
    return service.part(ClientStore.class);
  }
}
