// Signs and verifies with the npm package http-message-signatures.
//
//   interop.cjs send METHOD URL [BODY]     sends a request that the package has signed
//   interop.cjs send-with-blanks METHOD URL [BODY]     the same with blanks in Signature-Input
//   interop.cjs verify MESSAGES.json       says of each message whether the package verifies it
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { createSigner, createVerifier, httpbis } = require("http-message-signatures");

const ALGORITHM = "rsa-v1_5-sha256";

async function send(method, url, body) {
  return answered(await signed(method, url, body), body);
}

// The package signs the serialized parameters; a field may spell them with blanks all the same.
async function sendWithBlanks(method, url, body) {
  const message = await signed(method, url, body);
  const name = Object.keys(message.headers).find((n) => n.toLowerCase() === "signature-input");
  message.headers[name] = message.headers[name].replaceAll(";", "; ");
  return answered(message, body);
}

async function answered({ method, url, headers }, body) {
  const answer = await fetch(url, { method, headers, body });
  return { status: answer.status, body: await answer.json() };
}

async function signed(method, url, body) {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const headers = { Accept: "application/json", Date: now.toUTCString() };
  const fields = ["@method", "@target-uri"];
  if (body) {
    const digest = createHash("sha256").update(body).digest("base64");
    headers["Content-Type"] = "application/json";
    headers["Content-Digest"] = `sha-256=:${digest}:`;
    fields.push("content-digest");
  }
  fields.push("date");
  const pem = readFileSync(process.env.PRIVATE_KEY);
  return httpbis.signMessage(
    {
      key: createSigner(pem, ALGORITHM, process.env.CLIENT_ID),
      name: "sig",
      fields,
      params: ["created", "keyid", "alg"],
      paramValues: { created: now },
    },
    { method, url, headers },
  );
}

async function verify(file) {
  const { publicKey, keyid, messages } = JSON.parse(readFileSync(file));
  const key = { id: keyid, algs: [ALGORITHM], verify: createVerifier(publicKey, ALGORITHM) };
  const config = {
    keyLookup: async (params) => (params.keyid === keyid ? key : null),
    requiredParams: ["created", "keyid", "alg"],
    requiredFields: ["@method", "@target-uri", "date"],
    all: true,
  };
  const verdicts = [];
  for (const message of messages) verdicts.push(await httpbis.verifyMessage(config, message));
  return verdicts;
}

const [command, ...words] = process.argv.slice(2);
const commands = { send, "send-with-blanks": sendWithBlanks, verify };
commands[command](...words).then((result) =>
  console.log(JSON.stringify(result)),
);
