// Calls Countersign with .NET 8 or newer, and no package.
//
//   dotnet new console -o call && cp Call.cs call/Program.cs
//   dotnet run --project call -- list 'page=0&size=5&sort=currencyCode,asc'
//   dotnet run --project call -- create '{"name": "Travel", "currencyCode": "EUR"}'
//
// BASE_URL     the URL of the service, such as https://api.example.com
// CLIENT_ID    the clientId that the operator gave you
// PRIVATE_KEY  the file with your private key, in PEM: partner.key from `countersign keys generate
//              --out partner`, Acme-Bank.private.pem from the portal
// LISTING      the path of the list, by default /ledger/v1/wallets
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

if (args.Length == 0 || args[0] is not ("list" or "create") || (args[0] == "create" && args.Length < 2))
{
    return Fail(2, "Call.cs list [QUERY] | create JSON");
}
// Uri encodes what must be encoded. What is signed is its AbsoluteUri, because that is what is sent.
string listing = Environment.GetEnvironmentVariable("LISTING") ?? "/ledger/v1/wallets";
bool list = args[0] == "list";
var uri = new Uri(Setting("BASE_URL") + listing + (list && args.Length > 1 ? "?" + args[1] : ""));
byte[] body = list ? Array.Empty<byte>() : Encoding.UTF8.GetBytes(args[1]);
return await Call(list ? HttpMethod.Get : HttpMethod.Post, uri, body);

static async Task<int> Call(HttpMethod method, Uri uri, byte[] body)
{
    using var request = new HttpRequestMessage(method, uri);
    request.Headers.TryAddWithoutValidation("Accept", "application/json");
    if (body.Length > 0)
    {
        request.Content = new ByteArrayContent(body);
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
    }
    Sign(request, body);
    // A redirect is not followed: it would need a new signature.
    using var client = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false });
    using HttpResponseMessage answer = await client.SendAsync(request);
    string text = await answer.Content.ReadAsStringAsync();
    if (answer.IsSuccessStatusCode)
    {
        Console.WriteLine(text);
        return 0;
    }
    try
    {
        JsonElement problem = JsonDocument.Parse(text).RootElement;
        return Fail(1, problem.GetProperty("reason") + ": " + problem.GetProperty("detail"));
    }
    catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
    {
        return Fail(1, $"http_{(int)answer.StatusCode}: {text}");
    }
}

// Adds the headers that sign a request; send it unchanged afterwards.
static void Sign(HttpRequestMessage request, byte[] body)
{
    DateTimeOffset now = DateTimeOffset.UtcNow; // one reading of the clock: created and Date are the same second
    string date = now.ToString("R");
    var covered = new List<(string Name, string Value)>
    {
        ("@method", request.Method.Method), ("@target-uri", request.RequestUri!.AbsoluteUri),
    };
    request.Headers.TryAddWithoutValidation("Date", date);
    if (body.Length > 0)
    {
        string digest = $"sha-256=:{Convert.ToBase64String(SHA256.HashData(body))}:";
        request.Headers.TryAddWithoutValidation("Content-Digest", digest);
        covered.Add(("content-digest", digest));
    }
    covered.Add(("date", date));

    string names = string.Join(" ", covered.Select(c => $"\"{c.Name}\""));
    string created = now.ToUnixTimeSeconds().ToString();
    string parameters = $"({names});created={created};keyid=\"{Setting("CLIENT_ID")}\";alg=\"rsa-v1_5-sha256\"";
    string lines = string.Concat(covered.Select(c => $"\"{c.Name}\": {c.Value}\n"));
    using RSA key = PrivateKey(Setting("PRIVATE_KEY"));
    byte[] signature = key.SignData(
        Encoding.ASCII.GetBytes(lines + "\"@signature-params\": " + parameters),
        HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
    request.Headers.TryAddWithoutValidation("Signature-Input", "sig=" + parameters);
    request.Headers.TryAddWithoutValidation("Signature", $"sig=:{Convert.ToBase64String(signature)}:");
}

static RSA PrivateKey(string file)
{
    var key = RSA.Create();
    try
    {
        key.ImportFromPem(File.ReadAllText(file));
    }
    catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or CryptographicException)
    {
        Environment.Exit(Fail(1, $"the private key {file} cannot be read: {e.Message}"));
    }
    return key;
}

static string Setting(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException(name + " is not set");

static int Fail(int code, string message)
{
    Console.Error.WriteLine(message);
    return code;
}
