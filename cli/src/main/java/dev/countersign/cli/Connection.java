package dev.countersign.cli;

import dev.countersign.client.CountersignClient;
import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeySource;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which service, as which client, with which key: mixed into every command that calls. Options win
 * over environment variables, which win over the profile.
 */
final class Connection {
  private final Environment environment;
  private @Nullable Profile profile;

  @Option(names = "--base-url", paramLabel = "URL", description = "The service's base URL.")
  private @Nullable String baseUrlOption;

  @Option(names = "--client-id", paramLabel = "ID", description = "The clientId of your key.")
  private @Nullable String clientIdOption;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The private key: PEM, or a key store named *.p12, *.pfx or *.jks.")
  private @Nullable String keyOption;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "Holds the key's passphrase in its first line; else it is asked for.")
  private @Nullable String passphraseFileOption;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The profile to use (default: $$COUNTERSIGN_PROFILE, else default).")
  private @Nullable String profileOption;

  Connection(Environment environment) {
    this.environment = environment;
  }

  /** Scheme, host and port, perhaps with a path that all targets are under. */
  URI baseUri() {
    return Urls.absolute(
        find(Setting.BASE_URL).orElseThrow(() -> missing("base URL", Setting.BASE_URL)));
  }

  /** A URL as it was typed: absolute, or a path under the base URL. */
  URI resolve(String target) {
    return Urls.isAbsolute(target) ? Urls.absolute(target) : Urls.under(baseUri(), target);
  }

  String clientId() {
    return find(Setting.CLIENT_ID).orElseThrow(() -> missing("clientId", Setting.CLIENT_ID));
  }

  Path keyFile() {
    return environment.path(find(Setting.KEY).orElseThrow(() -> missing("key", Setting.KEY)));
  }

  /** The key of the file; read at its first use. */
  KeySource key() {
    Optional<Path> passphraseFile = find(Setting.PASSPHRASE_FILE).map(environment::path);
    return new KeyFile(keyFile(), new Passphrase(environment, passphraseFile))
        .source(new Output(environment)::note);
  }

  RequestSigner signer() {
    return RequestSigner.of(clientId(), key()).withClock(environment.clock());
  }

  /** The client of the base URL. */
  CountersignClient client() {
    return client(baseUri());
  }

  /**
   * The client of the base URL, or where none is set of this URL's origin.
   *
   * @param target must be of the same origin as the base URL, where there is one
   */
  CountersignClient client(URI target) {
    URI base = find(Setting.BASE_URL).map(Urls::absolute).orElse(target);
    if (!Urls.origin(base).equals(Urls.origin(target))) {
      throw Failure.usage(
          target
              + " is not at the base URL "
              + base
              + "; to call it give --base-url "
              + Urls.origin(target));
    }
    return CountersignClient.builder(Urls.origin(base), clientId(), key())
        .withClock(environment.clock())
        .withJsonMapper(ExactNumbers.mapper())
        .build();
  }

  /** The options as they were typed, for a hint that repeats them. */
  List<String> typed() {
    List<String> words = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      option(setting).ifPresent(value -> words.addAll(List.of(setting.option(), value)));
    }
    if (profileOption != null) {
      words.addAll(List.of("--profile", profileOption));
    }
    return words;
  }

  /** What an option says; empty where it was not given. */
  Optional<String> option(Setting setting) {
    return Optional.ofNullable(
        switch (setting) {
          case BASE_URL -> baseUrlOption;
          case CLIENT_ID -> clientIdOption;
          case KEY -> keyOption;
          case PASSPHRASE_FILE -> passphraseFileOption;
        });
  }

  /** The profile's name, whether or not there is such a profile. */
  String profileName() {
    return askedProfile().orElse(Profile.DEFAULT);
  }

  private Optional<String> askedProfile() {
    return Optional.ofNullable(profileOption).or(() -> environment.variable("COUNTERSIGN_PROFILE"));
  }

  private Optional<String> find(Setting setting) {
    return option(setting)
        .or(() -> environment.variable(setting.variable()))
        .or(() -> profile().value(setting));
  }

  private Profile profile() {
    if (profile == null) {
      profile = readProfile();
    }
    return profile;
  }

  private Profile readProfile() {
    ProfileFile file = ProfileFile.read(ProfileFile.location(environment));
    String name = profileName();
    if (askedProfile().isPresent() && !file.has(name)) {
      throw new Failure(
          ExitCode.USAGE,
          "profile_unknown",
          file.path()
              + " has no profile '"
              + name
              + "', it has "
              + (file.names().isEmpty() ? "none" : String.join(", ", file.names()))
              + "; to make it: countersign configure --profile "
              + name);
    }
    return file.profile(name);
  }

  private static Failure missing(String what, Setting setting) {
    return Failure.usage(
        "there is no "
            + what
            + ": give "
            + setting.option()
            + ", set "
            + setting.variable()
            + ", or run: countersign configure");
  }
}
