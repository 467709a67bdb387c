// Runs the scripts of a collection with as much of Postman's `pm` as they use, sends the requests
// as Postman would, and prints the answers.
//
//   postman-stand-in.cjs COLLECTION.json NAME
const { randomUUID, webcrypto } = require("node:crypto");
const { readFileSync } = require("node:fs");

const [file, name] = process.argv.slice(2);
const collection = JSON.parse(readFileSync(file));
const { BASE_URL, CLIENT_ID, PRIVATE_KEY } = process.env;
const values = new Map([
  ...collection.variable.map(({ key, value }) => [key, value]),
  ["base_url", BASE_URL],
  ["client_id", CLIENT_ID],
  ["private_key", readFileSync(PRIVATE_KEY, "utf8")],
  ["name", name],
]);

const variables = {
  get: (key) => values.get(key),
  set: (key, value) => values.set(key, value),
  replaceIn: (text) =>
    text.replace(/\{\{([^}]+)\}\}/g, (all, key) =>
      key === "$guid" ? randomUUID() : values.has(key) ? values.get(key) : all,
    ),
};

function requestOf({ method, url, header, body }) {
  const headers = new Map(header.map(({ key, value }) => [key.toLowerCase(), value]));
  return {
    method,
    url: { toString: () => (typeof url === "string" ? url : url.raw) },
    headers: {
      has: (key) => headers.has(key.toLowerCase()),
      get: (key) => headers.get(key.toLowerCase()),
      upsert: ({ key, value }) => headers.set(key.toLowerCase(), value),
      all: () => Object.fromEntries(headers),
    },
    body: body && {
      raw: body.raw,
      update(raw) {
        this.raw = raw;
      },
    },
  };
}

/** What Postman encodes in a URL. */
const encoded = (url) =>
  url.replace(/[^\x21-\x7e]|["<>]/gu, encodeURIComponent).replace(/'/g, "%27");

async function run(events, listen, pm) {
  const AsyncFunction = (async () => {}).constructor;
  for (const event of (events ?? []).filter((candidate) => candidate.listen === listen)) {
    await new AsyncFunction("pm", "crypto", event.script.exec.join("\n"))(pm, webcrypto);
  }
}

async function send(item) {
  const request = requestOf(item.request);
  const pm = { variables, collectionVariables: variables, request };
  await run(collection.event, "prerequest", pm);
  const answer = await fetch(encoded(variables.replaceIn(request.url.toString())), {
    method: request.method,
    headers: request.headers.all(),
    body: request.body && variables.replaceIn(request.body.raw),
    redirect: "manual",
  });
  const body = await answer.json();
  const response = { json: () => body, headers: answer.headers };
  await run(item.event, "test", { ...pm, response });
  return { status: answer.status, body };
}

(async () => {
  const answers = [];
  for (const item of collection.item) answers.push(await send(item));
  console.log(JSON.stringify(answers));
})();
