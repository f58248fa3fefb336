package main

import "sync"

// warnings keeps what the API server warns of.
type warnings struct {
	mutex sync.Mutex
	kept  []string
}

func (w *warnings) HandleWarningHeader(code int, _ string, text string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if code == 299 {
		w.kept = append(w.kept, text)
	}
}

func (w *warnings) texts() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return append([]string{}, w.kept...)
}
