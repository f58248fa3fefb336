/** Formats what `muster registrar` prints. All texts of Leases are shortened and escaped. */
import { safeText } from '../../base/text.ts';
import type { Reservation } from '../../cluster/registrar/reservation.ts';
import { RELEASE_SECONDS, type RoundResult } from '../../cluster/registrar/round.ts';
import { noColor, table } from '../../report/terminal.ts';

const LONGEST = 64;
const TITLES = ['CLUSTERSET', 'ID', 'API GROUP', 'HOLDER', 'SINCE', 'CONFIRMED'];

/** Returns a table, ordered by ClusterSet and id. A Lease without annotations is shown by its name. */
export function reservationsText(reservations: readonly Reservation[], hub: string): string {
  if (reservations.length === 0) return `no reservations at the hub (${hub})\n`;
  const rows = ordered(reservations).map(({ name, clusterSet, id, apiGroup, holder, since, confirmed }) =>
    [clusterSet, id ?? name, apiGroup, holder, since, confirmed ? 'yes' : 'no'].map((cell) =>
      safeText(cell ?? '-', LONGEST),
    ),
  );
  return table(TITLES, rows, noColor);
}

/** Returns what `-o json` prints. A Lease without annotations has its name in place of what they say. */
export function reservationsJson(reservations: readonly Reservation[]) {
  const items = ordered(reservations).map(({ name, clusterSet, id, apiGroup, holder, since, confirmed }) => {
    const named = clusterSet === undefined && id === undefined ? { name } : {};
    return { ...named, clusterSet, id, apiGroup, holder, since, confirmed };
  });
  return { items };
}

/** Returns a line for each thing that a round did. */
export function roundText({ made, confirmed, released, waiting, ...undone }: RoundResult): string {
  const lines = [
    ...made.map((identity) => `reserved and confirmed ${identityText(identity)}`),
    ...confirmed.map((identity) => `confirmed ${identityText(identity)}`),
    ...released.map((reservation) => `released ${reservationText(reservation)}`),
    ...waiting.map((reservation) => `still holds ${reservationText(reservation)}, without a membership: ${WAIT}`),
  ];
  if (lines.length > 0) return `${lines.join('\n')}\n`;
  const { conflicts, problems } = undone;
  return conflicts.length + problems.length === 0 ? 'nothing to do: the reservations fit the membership\n' : '';
}

const WAIT = `it is released by the first round ${RELEASE_SECONDS} s after the last join with it`;

/** Names an id, as in `id "east" in ClusterSet "fleet"`. */
export function identityText({ clusterSet, id, apiGroup }: IdentityText): string {
  const shown = (text: string) => safeText(text, LONGEST);
  return `id "${shown(id)}" in ClusterSet "${shown(clusterSet)}"${apiGroup ? ` (${shown(apiGroup)})` : ''}`;
}

export interface IdentityText {
  readonly clusterSet: string;
  readonly id: string;
  /** The API of the id; undefined if it is not known. */
  readonly apiGroup?: string | undefined;
}

function reservationText({ name, clusterSet, id, apiGroup }: Reservation): string {
  return clusterSet === undefined || id === undefined ? name : identityText({ clusterSet, id, apiGroup });
}

function ordered(reservations: readonly Reservation[]): readonly Reservation[] {
  const key = ({ clusterSet = '', id = '', name }: Reservation) => [clusterSet, id, name].join('\n');
  return reservations.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
