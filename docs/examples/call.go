// Calls Countersign with Go's standard library.
//
//	go run call.go list 'page=0&size=5&sort=currencyCode,asc'
//	go run call.go create '{"name": "Travel", "currencyCode": "EUR"}'
//
// BASE_URL     the URL of the service, such as https://api.example.com
// CLIENT_ID    the clientId that the operator gave you
// PRIVATE_KEY  the file with your private key, in PEM: partner.key from `countersign keys generate
//              --out partner`, Acme-Bank.private.pem from the portal
// LISTING      the path of the list, by default /ledger/v1/wallets
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// sign adds the headers that sign a request; send it unchanged afterwards.
func sign(request *http.Request, body []byte) {
	now := time.Now().UTC() // one reading of the clock: created and Date are the same second
	request.Header.Set("Date", now.Format(http.TimeFormat))
	covered := []string{"@method", "@target-uri"}
	values := []string{request.Method, request.URL.String()}
	if len(body) > 0 {
		digest := sha256.Sum256(body)
		header := "sha-256=:" + base64.StdEncoding.EncodeToString(digest[:]) + ":"
		request.Header.Set("Content-Digest", header)
		covered, values = append(covered, "content-digest"), append(values, header)
	}
	covered, values = append(covered, "date"), append(values, request.Header.Get("Date"))

	params := fmt.Sprintf(`("%s");created=%d;keyid="%s";alg="rsa-v1_5-sha256"`,
		strings.Join(covered, `" "`), now.Unix(), setting("CLIENT_ID"))
	base := ""
	for i, name := range covered {
		base += fmt.Sprintf("\"%s\": %s\n", name, values[i])
	}
	hash := sha256.Sum256([]byte(base + `"@signature-params": ` + params))
	signature, err := rsa.SignPKCS1v15(rand.Reader, privateKey(), crypto.SHA256, hash[:])
	failOn(err)
	request.Header.Set("Signature-Input", "sig="+params)
	request.Header.Set("Signature", "sig=:"+base64.StdEncoding.EncodeToString(signature)+":")
}

func privateKey() *rsa.PrivateKey {
	text, err := os.ReadFile(setting("PRIVATE_KEY"))
	failOn(err)
	block, _ := pem.Decode(text)
	if block == nil {
		failOn(errors.New("PRIVATE_KEY is not in PEM"))
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	failOn(err)
	private, ok := key.(*rsa.PrivateKey)
	if !ok {
		failOn(errors.New("PRIVATE_KEY is not an RSA key"))
	}
	return private
}

func call(method, target string, body []byte) string {
	request, err := http.NewRequest(method, target, bytes.NewReader(body))
	failOn(err)
	request.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	sign(request, body)
	// A redirect is not followed: it would need a new signature.
	asItIs := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Timeout: 30 * time.Second, CheckRedirect: asItIs}
	answer, err := client.Do(request)
	failOn(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	failOn(err)
	if answer.StatusCode/100 != 2 {
		problem := struct{ Reason, Detail string }{fmt.Sprint("http_", answer.StatusCode), string(text)}
		_ = json.Unmarshal(text, &problem) // a proxy's answer is no problem document
		failOn(errors.New(problem.Reason + ": " + problem.Detail))
	}
	return string(text)
}

func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		failOn(errors.New(name + " is not set"))
	}
	return value
}

func failOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	words := append(os.Args[1:], "", "")
	path := os.Getenv("LISTING")
	if path == "" {
		path = "/ledger/v1/wallets"
	}
	target := setting("BASE_URL") + path
	switch words[0] {
	case "list":
		// Encode first, then sign: what is signed is what is sent.
		query, err := url.ParseQuery(words[1])
		failOn(err)
		fmt.Println(call("GET", strings.TrimSuffix(target+"?"+query.Encode(), "?"), nil))
	case "create":
		fmt.Println(call("POST", target, []byte(words[1])))
	default:
		failOn(errors.New("call.go list [QUERY] | create JSON"))
	}
}
