package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ellipsis replaces the cut part of a long line.
const ellipsis = "…"

// cell is one displayed character of a source line.
type cell struct {
	text  string
	width int // in terminal cells; average for a tab
	start int // offset in the line
}

// excerpt returns a source line, cut to at most width terminal cells around the range [from, to),
// and the line below it that underlines the range. It underlines a longer range to the end of the
// line, and an empty range with a single caret.
func excerpt(line string, from, to, width int) (text, underline string) {
	cells := cellsOf(line)
	from = min(max(from, 0), len(line))
	to = min(max(to, from), len(line))
	first, last := cellAt(cells, from), cellAt(cells, to)
	lo, hi := window(cells, first, last, width)

	var shown, below strings.Builder
	if lo > 0 {
		shown.WriteString(ellipsis)
		below.WriteByte(' ')
	}
	for i, c := range cells[lo:hi] {
		shown.WriteString(c.text)
		below.WriteString(under(c, lo+i, first, last))
	}
	if hi < len(cells) {
		shown.WriteString(ellipsis)
	}
	if first >= hi { // the range is empty and at the end of the line
		below.WriteByte('^')
	}
	return shown.String(), strings.TrimRight(below.String(), " \t")
}

// under returns the text below the i-th cell if [first, last) is underlined. It preserves tabs, so
// that both lines align.
func under(c cell, i, first, last int) string {
	var mark string
	switch {
	case i == first && first == last:
		mark = "^" + strings.Repeat(" ", max(c.width-1, 0))
	case i == first:
		mark = "^" + strings.Repeat("~", max(c.width-1, 0))
	case first < i && i < last:
		mark = strings.Repeat("~", c.width)
	default:
		mark = strings.Repeat(" ", c.width)
	}
	switch {
	case c.text != "\t":
		return mark
	case i == first:
		return "^\t"
	}
	return "\t"
}

// cellsOf splits a line into cells. Characters that would move the cursor or change
// the direction of the text are shown as U+FFFD.
func cellsOf(line string) []cell {
	var cells []cell
	for i, r := range line {
		c := cell{text: string(r), width: runeWidth(r), start: i}
		switch {
		case r == '\t':
			c.width = 4
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			c.text, c.width = string(utf8.RuneError), 1
		}
		cells = append(cells, c)
	}
	return cells
}

// cellAt returns the index of the cell that starts at the offset, or of the next cell.
func cellAt(cells []cell, offset int) int {
	for i, c := range cells {
		if c.start >= offset {
			return i
		}
	}
	return len(cells)
}

// window returns the range of cells to show: all cells if they fit, else [first, last) with as much
// context as fits, or the start of the range.
func window(cells []cell, first, last, width int) (lo, hi int) {
	if total(cells) <= width {
		return 0, len(cells)
	}
	room := width - 2 // an ellipsis at each end
	lo, hi = first, first
	for hi < last && cells[hi].width <= room {
		room -= cells[hi].width
		hi++
	}
	if hi < last {
		return lo, hi
	}
	// The text before the range gets half of the space; each side gets the space that the other
	// does not need.
	before := room / 2
	for lo > 0 && cells[lo-1].width <= before {
		lo--
		before -= cells[lo].width
		room -= cells[lo].width
	}
	for hi < len(cells) && cells[hi].width <= room {
		room -= cells[hi].width
		hi++
	}
	for lo > 0 && cells[lo-1].width <= room {
		lo--
		room -= cells[lo].width
	}
	return lo, hi
}

func total(cells []cell) int {
	sum := 0
	for _, c := range cells {
		sum += c.width
	}
	return sum
}

// wide are the blocks whose characters take two terminal cells: East Asian scripts and emoji. It is
// coarser than Unicode's table.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeWidth returns how many terminal cells a character takes.
func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
