/** Reads the texts of the editors, with a problem at its line and column for what can't be read. */

import { escapeControls, fieldOf } from '../../../src/base/text.ts';
import { readConfiguration } from '../../../src/config/policy.ts';
import { type Location, readDocuments, type SourceDocument } from '../../../src/documents/index.ts';
import { defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import { type InputObject, objectsIn } from '../../../src/input/objects.ts';
import { ruleIds } from '../../../src/rules/index.ts';

/** Something to mark in an editor. */
export interface Mark extends Location {
  readonly editor: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

const START: Location = { line: 1, column: 1 };

/** Reads the texts of one evaluation. What is wrong with them is collected in `problems`. */
export function createInput() {
  const problems: Mark[] = [];
  const fail = (editor: string, message: string, { line, column }: Location = START): undefined => {
    problems.push({ editor, line, column, severity: 'error', message: escapeControls(message) });
  };
  const documentsOf = (editor: string, text: string) => {
    const { documents, errors } = readDocuments(text, editor);
    for (const error of errors) fail(editor, error.message, error);
    return { documents, isBroken: errors.length > 0 };
  };
  const objects = (editor: string, text: string): readonly InputObject[] =>
    documentsOf(editor, text).documents.flatMap((document) => {
      const found = objectsIn(document);
      for (const error of found.errors) fail(editor, error.message, error);
      if (found.foreign > 0) fail(editor, 'no Kubernetes object: apiVersion and kind are missing', document.start);
      return found.objects;
    });
  return {
    problems,
    fail,
    objects,
    /** Returns the objects of a text that must hold one at least. */
    someObjects(editor: string, text: string): readonly InputObject[] {
      const known = problems.length;
      const found = objects(editor, text);
      if (found.length === 0 && problems.length === known) fail(editor, 'empty; write an object here');
      return found;
    },
    /** Returns the policy of a configuration; that of an empty text is the default. */
    policy(editor: string, text: string, now: number): Policy | undefined {
      const { documents, isBroken } = documentsOf(editor, text);
      const [document, second] = documents;
      if (second) return fail(editor, 'a second document; there must be exactly one', second.start);
      if (document === undefined) return isBroken ? undefined : defaultPolicy;
      const { policy, problems: found } = readConfiguration(document.value, { ruleIds, now });
      for (const { path, message, ofKey } of found) {
        const field = fieldOf(path);
        fail(editor, field === '' ? message : `${field}: ${message}`, keyOrValue(document, path, ofKey));
      }
      return policy;
    },
    /** Returns milliseconds since the epoch. */
    time(editor: string, text: string): number {
      const time = text.trim() === '' ? Date.now() : Date.parse(text);
      if (Number.isNaN(time)) fail(editor, 'no time; write it as 2027-01-31T12:00:00Z');
      return time;
    },
  };
}

/** A missing value is located at the key that should hold it. No key has this name, so it locates the key itself. */
const NO_KEY = '\u0000';

function keyOrValue(document: SourceDocument, path: readonly (string | number)[], ofKey = false): Location {
  return document.locate(ofKey ? [...path, NO_KEY] : path);
}
