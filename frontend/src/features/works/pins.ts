import type { WorksCommentPin, WorksWorkComment } from "@/calls/works";
import type { Pin, Spot, StageView } from "@/viewer";
import { viewOf } from "@/viewer/scene";

/** A place to pin a comment to. */
export interface Place {
  spot: Spot;
  view: StageView;
}

const point = (all: readonly number[]): [number, number, number] | undefined => {
  const [x, y, z] = all;
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
};

/** The camera view in which a pin was set; undefined if unknown. */
export const pinView = ({ position, target }: WorksCommentPin): StageView | undefined =>
  viewOf(position, target);

/** Pins of comments on the shown model, numbered as in the list. */
export function pinsOf(comments: readonly WorksWorkComment[], bundle: number | undefined): Pin[] {
  return comments.flatMap((comment): Pin[] => {
    const { pin, commentId, content, state } = comment;
    const at = pin && point(pin.at);
    if (!at || pin.bundle !== bundle || state !== "shown") return [];
    const number = comments.indexOf(comment) + 1;
    return [
      {
        id: commentId,
        text: String(number),
        label: `标注 ${number}：${content.slice(0, 40)}`,
        spot: { at, normal: point(pin.normal) ?? [0, 1, 0] },
        view: pinView(pin),
      },
    ];
  });
}

/** Serialized for the call. */
export const pinText = ({ spot, view }: Place): string =>
  JSON.stringify({ at: spot.at, normal: spot.normal, position: view.eye, target: view.target });
