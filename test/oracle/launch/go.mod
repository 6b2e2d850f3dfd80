module github.com/kindsmith/kindsmith/test/oracle/launch

go 1.26.0
