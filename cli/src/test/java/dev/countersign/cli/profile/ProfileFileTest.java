package dev.countersign.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.terminal.CliException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileFileTest {
  private static final Path FILE = Path.of("config");

  private static ProfileFile parse(String text) {
    return ProfileFile.parse(FILE, text.lines().toList());
  }

  @Test
  void parse_sectionsWithComments_readsThem() {
    ProfileFile file =
        parse(
            """
            # where the tests go
            [test]
            base_url = https://test.example.com
            ; the key
            key=~/test.key

            [default]
            client_id = c-1
            """);

    assertThat(file.names()).containsExactly("test", "default");
    assertThat(file.profile("test").value(ProfileSetting.KEY)).contains("~/test.key");
    assertThat(file.profile("default").value(ProfileSetting.BASE_URL)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "base_url = x|1|[section] line must come first",
        "[a]/[a]|2|already exists",
        "[a/base_url = x|1|a section is [name]",
        "[a b]|1|a section is [name]",
        "[a]/baseurl = x|2|where key is one of base_url, client_id, key, passphrase_file",
        "[a]/key|2|a line is key = value",
        "[a]/key =|2|a line is key = value",
        "[a]/key = x/key = y|3|already set in [a]",
      })
  void parse_whatIsNotUnderstood_namesTheLine(String text, int line, String rule) {
    assertThatThrownBy(() -> parse(text.replace('/', '\n')))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("config line " + line + ": ")
        .hasMessageContaining(rule);
  }

  @Test
  void profile_withARelativeFile_isReadTheSameOnceItIsWrittenBack() {
    ProfileFile file = ProfileFile.parse(Path.of("etc/config"), List.of("[a]", "key = pw"));
    Profile once = file.profile("a");

    ProfileFile again = ProfileFile.parse(Path.of("etc/config"), file.linesWith(once));

    assertThat(once.value(ProfileSetting.KEY))
        .contains(Path.of("etc/pw").toAbsolutePath().toString());
    assertThat(again.profile("a").value(ProfileSetting.KEY))
        .isEqualTo(once.value(ProfileSetting.KEY));
  }

  @Test
  void linesWith_aProfileThatIsThere_changesItsSettingsAlone() {
    ProfileFile file = parse("[a]\n# note\nkey = old\n\n[b]\nkey = b.key\n");

    List<String> lines = file.linesWith(Profile.empty("a").with(ProfileSetting.KEY, "new"));

    assertThat(lines).containsExactly("[a]", "key = new", "# note", "", "[b]", "key = b.key");
  }
}
