package cel

import "time"

// The range of CEL times: the years 1 to 9999.
const (
	earliest = -62135596800
	latest   = 253402300799
)

// IsDuration reports whether Duration succeeds.
func IsDuration(s string) bool {
	_, err := time.ParseDuration(s)
	return err == nil
}

// Duration is duration(s).
func Duration(s string) time.Duration {
	d, _ := time.ParseDuration(s)
	return d
}

// IsTimestamp reports whether Timestamp succeeds.
func IsTimestamp(s string) bool {
	t, err := time.Parse(time.RFC3339, s)
	return err == nil && t.Unix() >= earliest && t.Unix() <= latest
}

// Timestamp is timestamp(s).
func Timestamp(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s)
	return t
}

// AddDuration is a + b.
func AddDuration(a, b time.Duration) time.Duration { return a + b }

// SubDuration is a - b.
func SubDuration(a, b time.Duration) time.Duration { return a - b }

// Hours is d.getHours().
func Hours(d time.Duration) int64 { return int64(d.Hours()) }

// Minutes is d.getMinutes().
func Minutes(d time.Duration) int64 { return int64(d.Minutes()) }

// Seconds is d.getSeconds().
func Seconds(d time.Duration) int64 { return int64(d.Seconds()) }

// Milliseconds is d.getMilliseconds().
func Milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// Unix is int(t).
func Unix(t time.Time) int64 { return t.Unix() }

// Year is t.getFullYear().
func Year(t time.Time) int64 { return int64(t.UTC().Year()) }

// Month is t.getMonth(): January is 0.
func Month(t time.Time) int64 { return int64(t.UTC().Month() - 1) }

// Date is t.getDate(): the first day of a month is 1.
func Date(t time.Time) int64 { return int64(t.UTC().Day()) }

// Weekday is t.getDayOfWeek(): Sunday is 0.
func Weekday(t time.Time) int64 { return int64(t.UTC().Weekday()) }

// DayOfMonth is t.getDayOfMonth(): the first day of a month is 0.
func DayOfMonth(t time.Time) int64 { return int64(t.UTC().Day() - 1) }

// DayOfYear is t.getDayOfYear(): the first day of a year is 0.
func DayOfYear(t time.Time) int64 { return int64(t.UTC().YearDay() - 1) }

// Hour is t.getHours().
func Hour(t time.Time) int64 { return int64(t.UTC().Hour()) }

// Minute is t.getMinutes().
func Minute(t time.Time) int64 { return int64(t.UTC().Minute()) }

// Second is t.getSeconds().
func Second(t time.Time) int64 { return int64(t.UTC().Second()) }

// Millisecond is t.getMilliseconds().
func Millisecond(t time.Time) int64 { return int64(t.UTC().Nanosecond() / 1e6) }

// AddTimeFits reports whether AddTime succeeds.
func AddTimeFits(t time.Time, d time.Duration) bool {
	unix := t.Add(d).Unix()
	return unix >= earliest && unix <= latest
}

// AddTime is t + d.
func AddTime(t time.Time, d time.Duration) time.Time { return t.Add(d) }

// SubTimeFits reports whether SubTime succeeds.
func SubTimeFits(t time.Time, d time.Duration) bool { return d != -1<<63 && AddTimeFits(t, -d) }

// SubTime is t - d.
func SubTime(t time.Time, d time.Duration) time.Time { return t.Add(-d) }

// BetweenFits reports whether Between succeeds.
func BetweenFits(a, b time.Time) bool {
	seconds := a.Unix() - b.Unix()
	return MulFits(seconds, 1e9) && AddFits(seconds*1e9, int64(a.Nanosecond()-b.Nanosecond()))
}

// Between is a - b.
func Between(a, b time.Time) time.Duration { return a.Sub(b) }
