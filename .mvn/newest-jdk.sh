# Sourced by mvnw and by the benchmarks. Without JAVA_HOME, Maven runs on the newest JDK of at least 21
# in the usual folders, because Maven on 17 cannot run the tests of newer modules in several
# processes. If there is no such JDK, the Java on the PATH is used.
newest=20
for folder in /usr/lib/jvm/* /opt/* "${HOME:-}"/.sdkman/candidates/java/* \
  /Library/Java/JavaVirtualMachines/*/Contents/Home; do
  [ -x "$folder/bin/javac" ] && [ -r "$folder/release" ] || continue
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$folder/release")
  if [ "${version:-0}" -gt "$newest" ]; then
    newest=$version
    JAVA_HOME=$folder
  fi
done
[ -z "${JAVA_HOME-}" ] || export JAVA_HOME
unset newest folder version
