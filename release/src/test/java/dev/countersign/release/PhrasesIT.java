package dev.countersign.release;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Refuses the phrases of {@code phrases.txt} in the comments and strings of Java files, and in
 * HTML, JavaScript, XML, YAML and Markdown. Phrases are found across line breaks and string
 * concatenations.
 */
class PhrasesIT {
  private static final Path ROOT = Release.sources();
  private static final String PHRASES = "phrases.txt";
  private static final Pattern READ = Pattern.compile(".+\\.(java|html|js|xml|ya?ml|md)");
  private static final Pattern SKIPPED = Pattern.compile("target|node_modules|\\..+");

  /** Comments, strings and text blocks. */
  private static final Pattern JAVA_TEXT =
      Pattern.compile(
          "//[^\n]*+|(?s:/\\*.*?\\*/)|(?s:\"\"\"\n.*?(?<!\\\\)\"\"\")"
              + "|\"(?:[^\"\\\\\n]++|\\\\.)*+\"");

  /** A character literal, which is read so that its quote opens no string. */
  private static final String CHARACTER = "'(?:[^'\\\\\n]++|\\\\.)*+'";

  /** The text between two pieces of one text: a break in a comment or a concatenation. */
  private static final Pattern SEAM =
      Pattern.compile("\"\\s*\\+\\s*\"|\\s*\n\\s*(?://|\\*|#)?\\s*|\\s{2,}");

  private record Phrase(Pattern pattern, String instead) {}

  private static List<Phrase> phrases() throws IOException {
    Path file = ROOT.resolve("release/src/test/resources/dev/countersign/release/" + PHRASES);
    return Files.readAllLines(file).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split("\t"))
        .map(fields -> new Phrase(Pattern.compile(fields[0]), fields[1]))
        .toList();
  }

  @Test
  void sources_containNoRefusedPhrase() throws IOException {
    List<Phrase> phrases = phrases();
    List<String> found = new ArrayList<>();
    List<Path> files = files();
    assertThat(phrases).isNotEmpty();
    assertThat(files).contains(ROOT.resolve("README.md")).hasSizeGreaterThan(1000);
    for (Path file : files) {
      String source = Files.readString(file);
      texts(file.toString(), source)
          .forEach(
              text ->
                  findings(phrases, text.group())
                      .map(finding -> where(file, source, text) + ": " + finding)
                      .forEach(found::add));
    }
    assertThat(found).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "A.java  | `int i; // at most so\\n  // many` | so many",
        "A.java  | `/** At most so\\n * many. */`     | so many",
        "A.java  | `f(\"so \"\\n    + \"many\");`     | so many",
        "A.java  | `char c = '\"'; f(\"so many\");`   | so many",
        "A.java  | `f('a' + \"so many\");`            | so many",
        "A.java  | `f(\"\"\"\\n  so\\n  many\"\"\")`  | so many",
        "A.java  | `so.many(so(many));`               | ``",
        "A.html  | `<p>so\\n  many</p>`               | so many",
        "a.yaml  | `# at most so\\n# many`            | so many",
        "A.md    | `so\\nmany`                        | so many",
      })
  void phrase_inAnyText_isFound(String file, String source, String found) {
    List<Phrase> phrases = List.of(new Phrase(Pattern.compile("so many"), "N"));
    assertThat(
            texts(file, source.replace("\\n", "\n"))
                .flatMap(text -> findings(phrases, text.group()))
                .collect(joining()))
        .isEqualTo(found.isEmpty() ? "" : "\"" + found + "\", better: N");
  }

  private static Stream<MatchResult> texts(String file, String source) {
    Pattern text = file.endsWith(".java") ? joined(JAVA_TEXT) : Pattern.compile("(?s).+");
    return text.matcher(source).results().filter(result -> !result.group().startsWith("'"));
  }

  /** Texts with nothing but a seam between them are one. */
  private static Pattern joined(Pattern text) {
    return Pattern.compile(
        String.format(
            Locale.ROOT,
            "%2$s|(?:%1$s)(?:\\s*\\+\\s*(?=\")(?:%1$s)|\n\\s*(?=//)(?:%1$s))*+",
            text,
            CHARACTER));
  }

  private static Stream<String> findings(List<Phrase> phrases, String text) {
    String line = SEAM.matcher(text).replaceAll(PhrasesIT::joint);
    return phrases.stream()
        .flatMap(
            phrase ->
                phrase
                    .pattern()
                    .matcher(line)
                    .results()
                    .map(hit -> "\"" + hit.group() + "\", better: " + phrase.instead()));
  }

  private static String joint(MatchResult seam) {
    return seam.group().startsWith("\"") ? "" : " ";
  }

  private static String where(Path file, String source, MatchResult text) {
    long line = 1 + source.substring(0, text.start()).chars().filter(c -> c == '\n').count();
    return ROOT.relativize(file) + " from line " + line;
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean skipped = SKIPPED.matcher(folder.getFileName().toString()).matches();
            return skipped && !folder.equals(ROOT)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            Matcher read = READ.matcher(file.getFileName().toString());
            if (read.matches() && !file.endsWith("PhrasesIT.java")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
