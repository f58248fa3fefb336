// Command yaml-oracle writes what kubectl's own libraries read in the corpus of test/unit/documents.
//
//	go run . ../documents/corpus     rewrites NAME.expected.jsonl beside each NAME.yaml
//	go run . -                       reads texts, a JSON string a line, prints one line of JSON for each (to explore, and to fuzz)
//
// The format of a corpus file is told in test/unit/documents/corpus.ts, which reads it for the tests.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// entry is one document as read: its JSON, or the mark of an error.
type entry struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error bool            `json:"error,omitempty"`
}

type expectation struct {
	Name      string  `json:"name"`
	Documents []entry `json:"documents"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: yaml-oracle CORPUS-FOLDER|-")
		os.Exit(2)
	}
	run := writeExpectations
	if os.Args[1] == "-" {
		run = explore
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeExpectations(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for _, one := range strings.Split("\n"+string(content), "\n#### ")[1:] {
			name, text, _ := strings.Cut(one, "\n")
			if err := writeLine(&out, expectation{name, read(unveil(text + "\n"))}); err != nil {
				return err
			}
		}
		if err := os.WriteFile(strings.TrimSuffix(file, ".yaml")+".expected.jsonl", out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func explore(string) error {
	decoder := json.NewDecoder(os.Stdin)
	for {
		var text string
		if err := decoder.Decode(&text); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := writeLine(os.Stdout, expectation{"", read(text)}); err != nil {
			return err
		}
	}
}

func writeLine(out io.Writer, line expectation) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}

// unveil turns the names of characters that a file can't show into the characters.
func unveil(text string) string {
	text, _, _ = strings.Cut(text, "<EOF>")
	return strings.NewReplacer("<TAB>", "\t", "<CR>", "\r", "<BOM>", "\ufeff", "<NUL>", "\x00", "<BEL>", "\a",
		"<DEL>", "\x7f", "<NEL>", "\u0085", "<LS>", "\u2028", "<NBSP>", "\u00a0", "<SP>", " ").Replace(text)
}

// read reads a text as kubectl does. Text that begins with a brace goes through the reader that tries JSON first,
// to the first error, where kubectl stops; other text document by document, errors included.
func read(text string) []entry {
	if kubeyaml.IsJSONBuffer([]byte(text)) {
		return readStream(text)
	}
	found := []entry{}
	reader := kubeyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		chunk, err := reader.Read()
		if err == io.EOF {
			return found
		}
		var value []byte
		if err == nil {
			value, err = yaml.YAMLToJSON(chunk)
		}
		found = add(found, value, err)
	}
}

func readStream(text string) []entry {
	found := []entry{}
	decoder := kubeyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if err == io.EOF {
			return found
		}
		found = add(found, value, err)
		if err != nil {
			return found
		}
	}
}

// add appends a document, but for empty ones, which kubectl drops.
func add(found []entry, value []byte, err error) []entry {
	if err != nil {
		return append(found, entry{Error: true})
	}
	value = bytes.TrimSpace(value)
	if len(value) == 0 || string(value) == "null" {
		return found
	}
	return append(found, entry{Value: plainly(value)})
}

// plainly writes JSON without the escapes that the Go library adds for HTML. Numbers stay as they are written.
func plainly(value []byte) json.RawMessage {
	var decoded any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if err := decoder.Decode(&decoded); err != nil {
		panic(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(decoded); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}
