# Shared by the other scripts, which source it after setting $name: finds a Java, builds, and
# provides the functions that they need.

NEEDED=21

say() { printf '%s: %s\n' "$name" "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# need COMMAND HINT
need() {
  command -v "$1" >/dev/null 2>&1 || fail "needs $1: $2"
}

# positive OPTION VALUE: requires a whole number of 1 or more
positive() {
  case $2 in
    '' | *[!0-9]* | 0*) fail "$1 must be a whole number of 1 or more, was '$2'" ;;
  esac
}

# The processors that this process may use, such as 0-3, and the last of them.
all_cores() { taskset -cp $$ | sed 's/.*: *//'; }
last_core() { all_cores | sed 's/.*[,-]//'; }

# The major version of the Java in folder $1; 0 if it has no compiler.
major_of() (
  version=0
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  printf '%s\n' "${version:-0}"
)

# A JAVA_HOME that is new enough takes precedence over newer versions.
find_java() {
  if [ "$(major_of "${JAVA_HOME:-}")" -lt "$NEEDED" ]; then
    unset JAVA_HOME
    . "$here/../.mvn/newest-jdk.sh"
  fi
  [ -n "${JAVA_HOME:-}" ] || fail "needs a JDK $NEEDED or newer; set JAVA_HOME to one"
  java=$JAVA_HOME/bin/java
}

is_stale() {
  [ -f "$stamp" ] || return 0
  [ -n "$(find "$root"/pom.xml "$root"/*/pom.xml "$root"/*/src/main "$root"/*/src/assembly \
    "$here"/spring-data/pom.xml "$here"/spring-data/src -newer "$stamp" -print | head -n 1)" ]
}

# Sets $built to the folder with the benchmarks' jars, $product to that with the product's, and
# $spring_data to that with the service that uses Spring Data.
build_where_stale() {
  root=$(CDPATH='' cd -- "$here/.." && pwd -P)
  stamp=$here/target/.build.stamp
  built=$here/target/benchmarks
  spring_data=$here/spring-data/target/jars
  if is_stale; then
    say "building"
    mkdir -p "$here/target"
    : >"$stamp.new"
    (cd "$root" && ./mvnw -q -B -DskipTests -Dspotless.check.skip \
      -pl benchmarks,benchmarks/spring-data,release -am package) </dev/null >&2 ||
      fail "the build failed"
    mv -f "$stamp.new" "$stamp"
  fi
  for product in "$root"/release/target/countersign-*/lib; do :; done
  [ -d "$product" ] && [ -d "$built/lib" ] && [ -d "$spring_data" ] ||
    fail "the build made no jars; remove $stamp and try again"
}

# Prints what the numbers are measured on.
describe_machine() {
  cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
  printf '%s, %s cores, %s %s\n' "${cpu:-unknown processor}" "$(getconf _NPROCESSORS_ONLN)" \
    "$(uname -s)" "$(uname -r)"
  "$java" --enable-native-access=ALL-UNNAMED -cp "$built/benchmarks.jar:$built/lib/*" \
    dev.countersign.benchmarks.Machine
}

# The median of the numbers on standard input.
median() {
  sort -g | awk '{ v[NR] = $1 }
    END { if (NR == 0) exit 1
          print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'
}

# ratio NUMERATORS DENOMINATORS: the median of the ratios of two columns, one pair per round.
ratio() {
  paste "$1" "$2" | awk '{ print $1 / $2 }' | median | awk '{ printf "%.2f\n", $1 }'
}
