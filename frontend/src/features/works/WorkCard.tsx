import Box from "@mui/material/Box";
import useMediaQuery from "@mui/material/useMediaQuery";
import type { WorksWorkCard } from "@/calls/works";
import { calledBy } from "@/session";
import { CardGrid } from "@/ui/CardGrid";
import { ModelCard } from "@/ui/ModelCard";
import { dayOf, shortCount } from "@/ui/numbers";
import { Marks } from "./Marks";
import { typeName, workPath } from "./words";

export const makerOf = ({ nickname }: Pick<WorksWorkCard, "nickname">): string => calledBy(nickname);

/** Card of a work in lists: name, author, and marks. */
export function WorkCard({ card, eager }: { card: WorksWorkCard; eager?: boolean }) {
  const desk = useMediaQuery("(min-width: 900px)");
  return (
    <Box sx={{ position: "relative" }}>
      <ModelCard
        to={workPath(card)}
        name={card.name}
        picture={(desk && card.pcPreview) || card.preview || card.pcPreview}
        turning={card.turntableUrl}
        eager={eager}
        badge={typeName(card.type)}
        note={`${makerOf(card)} · ${dayOf(card.releaseTime)}`}
        foot={`${shortCount(card.browseNumber)} 浏览　${shortCount(card.likeNumber)} 赞`}
      />
      <Marks small card={card} />
    </Box>
  );
}

export function WorkCards({
  cards,
  label,
  eager = 0,
}: {
  cards: readonly WorksWorkCard[];
  label: string;
  eager?: number;
}) {
  return (
    <CardGrid label={label}>
      {cards.map((card, index) => (
        <li key={card.id}>
          <WorkCard card={card} eager={index < eager} />
        </li>
      ))}
    </CardGrid>
  );
}
