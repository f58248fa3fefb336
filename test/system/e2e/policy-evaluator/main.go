// Command policy-evaluator evaluates ValidatingAdmissionPolicies as kube-apiserver does, without a server: it is
// Kubernetes' own admission plugin, fed from standard input. The differential test asks it of thousands of writes.
//
// The first line of standard input is the setup (policies, bindings, kinds); each further line is one write. For each
// write one line of JSON is printed, in the same order: which policies deny it, and the warnings.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<20)
	first, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("standard input holds no setup: %w", err)
	}
	var given setup
	if err := json.Unmarshal(first, &given); err != nil {
		return fmt.Errorf("the setup can't be read: %w", err)
	}
	evaluate, err := newEvaluator(given)
	if err != nil {
		return err
	}
	return answerAll(lines, out, evaluate)
}

// answer is one line of output, to come.
type answer struct {
	line []byte
	err  error
}

// answerAll evaluates writes side by side and prints the answers in the order of the writes.
func answerAll(lines *bufio.Reader, out io.Writer, evaluate *evaluator) error {
	waiting := make(chan chan answer, 8*runtime.GOMAXPROCS(0))
	permits := make(chan struct{}, runtime.GOMAXPROCS(0))
	var readError error
	go func() {
		defer close(waiting)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				to := make(chan answer, 1)
				permits <- struct{}{}
				go func() {
					defer func() { <-permits }()
					made, err := answerLine(line, evaluate)
					to <- answer{made, err}
				}()
				waiting <- to
			}
			if err != nil {
				if err != io.EOF {
					readError = err
				}
				return
			}
		}
	}()
	writer := bufio.NewWriterSize(out, 1<<20)
	for to := range waiting {
		made := <-to
		if made.err != nil {
			return made.err
		}
		if _, err := writer.Write(append(made.line, '\n')); err != nil {
			return err
		}
		// Whoever asks one by one waits for each answer.
		if len(waiting) == 0 {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
	}
	if readError != nil {
		return readError
	}
	return writer.Flush()
}

func answerLine(line []byte, evaluate *evaluator) ([]byte, error) {
	var asked write
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, fmt.Errorf("a write can't be read: %w", err)
	}
	found, err := evaluate.write(asked)
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}
