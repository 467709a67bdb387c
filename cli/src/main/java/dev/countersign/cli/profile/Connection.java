package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.CountersignClient;
import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.BaseUrl;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The service, the client and the key: options of the root command that every command inherits. The
 * order of precedence is: options, the profile that {@code --profile} names, environment variables,
 * any other profile.
 */
public final class Connection {
  /** All options of this class; each takes a value. */
  public static final Set<String> OPTIONS =
      Set.of("--base-url", "--client-id", "--key", "--passphrase-file", "--profile");

  private final Environment environment;
  private @Nullable Profile profile;

  @Option(
      names = "--base-url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description = "The service's base URL.")
  private @Nullable String baseUrlOption;

  @Option(
      names = "--client-id",
      scope = ScopeType.INHERIT,
      paramLabel = "ID",
      description = "The clientId of your key.")
  private @Nullable String clientIdOption;

  @Option(
      names = "--key",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "The private key: PEM, or a key store named *.p12, *.pfx or *.jks.")
  private @Nullable String keyOption;

  @Option(
      names = "--passphrase-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "A file whose first line is the key's passphrase (default: ask for it).")
  private @Nullable String passphraseFileOption;

  @Option(
      names = "--profile",
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description = "The profile to use (default: $$COUNTERSIGN_PROFILE, else default).")
  private @Nullable String profileOption;

  public Connection(Environment environment) {
    this.environment = environment;
  }

  /** Scheme, host and port, optionally with a path that precedes the path of every target. */
  public BaseUrl baseUrl() {
    return Urls.base(
        find(ProfileSetting.BASE_URL)
            .orElseThrow(() -> missing("base URL", ProfileSetting.BASE_URL)));
  }

  /**
   * Resolves a URL as typed: absolute, or a path under the base URL.
   *
   * @throws CliException when the URL and the base URL have different origins: signed requests must
   *     go only to the base URL's origin
   */
  public URI resolve(String target) {
    if (!Urls.isAbsolute(target)) {
      return Urls.under(baseUrl(), target);
    }
    URI url = Urls.absolute(target);
    find(ProfileSetting.BASE_URL).map(Urls::base).ifPresent(base -> requireSameOrigin(url, base));
    return url;
  }

  private static void requireSameOrigin(URI url, BaseUrl base) {
    if (!BaseUrl.isSameOrigin(base.uri(), url)) {
      throw CliException.usage(
          url
              + " is not under the base URL "
              + base
              + "; to call it, give --base-url "
              + Urls.origin(url));
    }
  }

  public String clientId() {
    return find(ProfileSetting.CLIENT_ID)
        .orElseThrow(() -> missing("clientId", ProfileSetting.CLIENT_ID));
  }

  public Path keyFile() {
    return environment.path(
        find(ProfileSetting.KEY).orElseThrow(() -> missing("key", ProfileSetting.KEY)));
  }

  /** The key in the file. The file is read when the key is first used. */
  KeySource key() {
    return new KeyFile(keyFile(), passphrase()).source(new Output(environment)::note);
  }

  /** The passphrase of the key. */
  public Passphrase passphrase() {
    return new Passphrase(environment, find(ProfileSetting.PASSPHRASE_FILE).map(environment::path));
  }

  /** The key from the command line, for commands that send no request; see {@link #given}. */
  public Optional<KeyFile> givenKey() {
    return given(ProfileSetting.KEY).map(file -> new KeyFile(environment.path(file), passphrase()));
  }

  /**
   * The value of an option, or else the value in the profile that {@code --profile} names. Ignores
   * the environment and any other profile.
   */
  public Optional<String> given(ProfileSetting setting) {
    return option(setting).or(() -> profileOption == null ? Optional.empty() : inProfile(setting));
  }

  public RequestSigner signer() {
    return RequestSigner.of(clientId(), key()).withClock(environment.clock());
  }

  /** Creates the client for this URL's origin. */
  public CountersignClient client(URI target) {
    return clientBuilder(target).build();
  }

  /** Starts building the client for this URL's origin, so that the caller can set more options. */
  public CountersignClient.Builder clientBuilder(URI target) {
    return CountersignClient.builder(Urls.origin(target), clientId(), key())
        .withClock(environment.clock());
  }

  /** The options as typed, for a hint that repeats them. */
  public List<String> typed() {
    List<String> words = new ArrayList<>();
    for (ProfileSetting setting : ProfileSetting.values()) {
      option(setting).ifPresent(value -> words.addAll(List.of(setting.option(), value)));
    }
    if (profileOption != null) {
      words.addAll(List.of("--profile", profileOption));
    }
    return words;
  }

  /** The value of an option; empty if it was not given. */
  public Optional<String> option(ProfileSetting setting) {
    return Optional.ofNullable(
        switch (setting) {
          case BASE_URL -> baseUrlOption;
          case CLIENT_ID -> clientIdOption;
          case KEY -> keyOption;
          case PASSPHRASE_FILE -> passphraseFileOption;
        });
  }

  /** The profile's name, whether or not the profile exists. */
  String profileName() {
    return requestedProfile().orElse(Profile.DEFAULT);
  }

  private Optional<String> requestedProfile() {
    return Optional.ofNullable(profileOption).or(() -> environment.variable("COUNTERSIGN_PROFILE"));
  }

  private Optional<String> find(ProfileSetting setting) {
    return given(setting)
        .or(() -> environment.variable(setting.variable()))
        .or(() -> inProfile(setting));
  }

  private Optional<String> inProfile(ProfileSetting setting) {
    return profile().value(setting);
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
    if (requestedProfile().isPresent() && !file.has(name)) {
      throw new CliException(
          ExitCode.USAGE,
          "profile_unknown",
          file.path()
              + " has no profile '"
              + name
              + "', it has "
              + (file.names().isEmpty() ? "none" : String.join(", ", file.names()))
              + "; to create it: countersign configure --profile "
              + name);
    }
    return file.profile(name);
  }

  private static CliException missing(String name, ProfileSetting setting) {
    return CliException.usage(
        "there is no "
            + name
            + ": give "
            + setting.option()
            + ", set "
            + setting.variable()
            + ", or run: countersign configure");
  }
}
