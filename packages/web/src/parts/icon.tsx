/** The icons of the app, as strokes in a square of 16. */
import type { ReactNode } from "react";

const strokes = {
  plus: "M8 3v10M3 8h10",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2",
  stop: "M4.5 4.5h7v7h-7z",
  send: "M8 13V3.5M3.8 7.5 8 3.3l4.2 4.2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  panel: "M2.5 3h11v10h-11zM10 3v10",
  search: "M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM10.5 10.5l3 3",
  chevron: "M6 3.5 10.5 8 6 12.5",
  down: "M3.5 6 8 10.5 12.5 6",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  folder: "M2.5 4h4l1.5 2h5.5v7h-11z",
  edit: "M3 13l.6-3L10.5 3l2.5 2.5-7 7z",
  branch: "M5 3.5v9M5 9c5 0 6-1.5 6-4M11 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3",
  redo: "M13 6.5H6.500a3.500 3.500 0 0 0 0 7H10M13 6.500l-3-3M13 6.500l-3 3",
  shield: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  image: "M2.5 3.500h11v9h-11zM2.500 11l3.500-3.500 3 3 2-2 2.500 2.500M10.500 6.200h.01",
  bulb: "M6 12.500h4M6.500 14h3M5.500 10.500c0-1.500-1.500-2-1.500-4.200a4 4 0 0 1 8 0c0 2.200-1.500 2.700-1.500 4.200z",
  terminal: "M2.500 3h11v10h-11zM5 6.500 7 8.500l-2 2M8.500 10.500h3",
  keyboard: "M2 4.500h12v7H2zM4.500 7h.01M7 7h.01M9.500 7h.01M12 7h.01M5 9.500h6",
  gear: "M8 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400zM8 1.800v2M8 12.200v2M1.800 8h2M12.200 8h2M3.600 3.600l1.400 1.400M11 11l1.400 1.400M3.600 12.400 5 11M11 5l1.400-1.400",
  phone: "M5 1.800h6v12.400H5zM7.500 12h1",
  warn: "M8 2.500 14 13H2zM8 6.500v3M8 11.200h.01",
} as const;

export type IconName = keyof typeof strokes;

export function Icon({
  name,
  className = "",
}: {
  readonly name: IconName;
  readonly className?: string;
}): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "dots" ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={strokes[name]} />
    </svg>
  );
}
