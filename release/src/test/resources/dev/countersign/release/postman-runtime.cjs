// Runs a collection in the runtime that Postman is made of, and prints the answers.
//
//   postman-runtime.cjs COLLECTION.json NAME
const { readFileSync } = require("node:fs");
const { Collection } = require("postman-collection");
const { Runner } = require("postman-runtime");

const [file, name] = process.argv.slice(2);
const { BASE_URL, CLIENT_ID, PRIVATE_KEY } = process.env;
const collection = new Collection(JSON.parse(readFileSync(file)));
const values = {
  base_url: BASE_URL,
  client_id: CLIENT_ID,
  private_key: readFileSync(PRIVATE_KEY, "utf8"),
  name,
};
// The other variables keep the values that the collection gives them.
collection.variables.syncFromObject(values, false, false);

const answers = [];
const failOn = (error) => {
  if (error) throw error;
};
new Runner().run(collection, {}, (error, run) => {
  failOn(error);
  run.start({
    exception: (cursor, thrown) => failOn(new Error(JSON.stringify(thrown))),
    response: (refused, cursor, response) => {
      failOn(refused);
      answers.push({ status: response.code, body: response.json() });
    },
    done: (ended) => {
      failOn(ended);
      console.log(JSON.stringify(answers));
    },
  });
});
