# Shared by the scripts that fill tables on both databases, which source it after prepare.sh.

rows=10000000
databases='sqlite postgresql'
pg_port=54329
pid=
# The folder of the product's data.
data=data
# The folder that is kept for the next run. If it is empty, the script works in a temporary one.
kept=

# What the two scripts say about the options below.
table_options_help() {
  cat <<'END'
  --rows N          number of rows (default: 10000000)
  --database NAME   sqlite or postgresql (default: first one, then the other)
  --port N          the port of the PostgreSQL server that the script starts (default: 54329)
END
}

# table_option OPTION VALUE
table_option() {
  case $1 in
    --rows) positive "$1" "$2" && rows=$2 ;;
    --port) positive "$1" "$2" && pg_port=$2 ;;
    --database)
      case $2 in
        sqlite | postgresql) databases=$2 ;;
        *) fail "--database must be sqlite or postgresql, was '$2'" ;;
      esac
      ;;
  esac
  # The generator of the numbers repeats after this many rows.
  [ "$rows" -lt 2147483647 ] || fail "--rows must be less than 2147483647, was $rows"
}

# Builds the product and prints the machine. Enters the folder $work, which is removed at the end
# unless it is to be kept.
prepare_tables() {
  LC_ALL=C
  export LC_ALL
  need openssl "apt-get install -y openssl"
  case $databases in *sqlite*) need sqlite3 "apt-get install -y sqlite3" ;; esac
  case $databases in
    *postgresql*)
      need psql "apt-get install -y postgresql"
      for pg_bin in /usr/lib/postgresql/*/bin "$(dirname "$(command -v initdb || echo /none/)")"; do
        [ ! -x "$pg_bin/initdb" ] || break
      done
      [ -x "$pg_bin/initdb" ] || fail "needs the PostgreSQL server: apt-get install -y postgresql"
      ;;
  esac
  find_java
  build_where_stale
  describe_machine || true
  echo "$rows rows, load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"

  if [ -n "$kept" ]; then
    mkdir -p "$kept"
    [ -f "$kept/made-by-a-benchmark" ] || [ -z "$(ls -A "$kept")" ] ||
      fail "$kept must be an empty folder, or one of an earlier run"
    : >"$kept/made-by-a-benchmark"
    work=$(CDPATH='' cd -- "$kept" && pwd -P)
  else
    work=$(mktemp -d)
  fi
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  # The user's own settings must not affect the measured product.
  unset COUNTERSIGN_CONFIG COUNTERSIGN_JAVA_OPTS
  chmod 711 "$work"
  cd "$work"
  [ ! -f key.pub.pem ] || return 0
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>log ||
    fail "openssl cannot make a key: $(cat log)"
  openssl pkey -in key.pem -pubout -out key.pub.pem
}

# PostgreSQL does not run as root, so root lends it to the user that its package creates.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
stop_service() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  [ -z "$pid" ] || wait "$pid" || true
  pid=
}
clean_up() {
  stop_service
  stop_postgresql
  [ -n "$kept" ] || rm -rf "$work"
}

run_java() {
  exec "$java" --enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError -cp "$product/*" \
    dev.countersign.server.app.Application "$@"
}

# seconds COMMAND...: runs it, and sets $took.
seconds() {
  began=$(date +%s)
  "$@" || fail "$1 failed"
  took=$(($(date +%s) - began))
}

# SQL that mixes the number n, with the same result on both databases.
mixed='((n * 48271) % 2147483647)'

# fill DATABASE: creates the database, and runs the SQL that tables_DATABASE prints.
fill() {
  "tables_$1" >fill.sql
  "fill_$1" <fill.sql
}

fill_sqlite() {
  mkdir -m 700 "$data"
  (printf '%s\n' 'PRAGMA journal_mode = off;' 'PRAGMA synchronous = off;' && cat) |
    sqlite3 -bail "$data/countersign.db" >log || fail "SQLite was not filled: $(cat log)"
  start_sqlite
}

fill_postgresql() {
  mkdir pg
  [ "$(id -u)" -ne 0 ] || chown postgres pg
  (cd / && as_postgres "$pg_bin/initdb" -D "$work/pg/data" -U postgres -A trust -E UTF8 \
    --no-sync) >log 2>&1 || fail "initdb failed: $(cat log)"
  start_postgresql
  psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$pg_port" -U postgres postgres >log ||
    fail "PostgreSQL was not filled: $(cat log)"
}

# start_DATABASE: makes the database that the script filled the product's.
start_sqlite() { unset SPRING_DATASOURCE_URL SPRING_DATASOURCE_USERNAME; }
stop_postgresql() {
  if [ -n "$kept" ]; then mode=fast; else mode=immediate; fi
  [ ! -d "$work/pg/data" ] ||
    (cd / && as_postgres "$pg_bin/pg_ctl" -D "$work/pg/data" -m "$mode" stop) >/dev/null 2>&1 ||
    true
}
start_postgresql() {
  (cd / && as_postgres "$pg_bin/pg_ctl" -D "$work/pg/data" -w -l "$work/pg/log" -o "-p $pg_port \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$work/pg -c max_wal_size=8GB \
    -c maintenance_work_mem=256MB" start) >log 2>&1 || fail "PostgreSQL did not start: $(cat log)"
  SPRING_DATASOURCE_URL=jdbc:postgresql://127.0.0.1:$pg_port/postgres
  SPRING_DATASOURCE_USERNAME=postgres
  export SPRING_DATASOURCE_URL SPRING_DATASOURCE_USERNAME
}

execute_sqlite() { sqlite3 "$data/countersign.db" "$1"; }
execute_postgresql() {
  psql -X -q -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$pg_port" -U postgres -c "$1" postgres
}

# await_port PID LOG PATTERN: waits until the process logs its port, and sets $port.
await_port() {
  tries=0
  until port=$(sed -n "s/$3/\\1/p" "$2") && [ -n "$port" ]; do
    tries=$((tries + 1))
    kill -0 "$1" 2>/dev/null && [ "$tries" -lt 1200 ] || fail "a service did not start: $(cat "$2")"
    sleep 0.1
  done
}

# Starts the service, and sets $url.
start() {
  : >service.log
  (SERVER_ADDRESS=127.0.0.1 run_java serve --port 0 --data "$data") >>service.log 2>&1 &
  pid=$!
  await_port "$pid" service.log '^Countersign serves .*:\([0-9]*\)$'
  url=http://127.0.0.1:$port
}

# benchmark CLASS ARGUMENT...
benchmark() {
  class=$1
  shift
  (exec "$java" --enable-native-access=ALL-UNNAMED -cp "$built/benchmarks.jar:$built/lib/*" \
    "dev.countersign.benchmarks.$class" "$@") 2>log || fail "$class failed: $(cat log)"
}

# register OPTION...: registers a client with the key and sets $client.
register() {
  client=$( (run_java clients add --name Benchmark --public-key key.pub.pem --allow 127.0.0.1 \
    --role reader --data "$data" "$@") 2>log | head -n 1)
  [ -n "$client" ] || fail "the client was not registered: $(cat log)"
}
