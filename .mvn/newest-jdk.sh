# Read by mvnw and by the benchmarks. Without a JAVA_HOME, Maven runs on the newest JDK from 21 on in
# the usual folders, since a Maven on 17 cannot share the tests of newer modules among processes.
# Where there is none, the Java on the PATH stays.
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
