// A Kafka broker in memory, for tests. Arguments: a topic, and the user and password of SASL, or none.
// It prints its address, and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	options := []kfake.Opt{kfake.NumBrokers(2), kfake.SeedTopics(3, os.Args[1])}
	if len(os.Args) > 3 {
		options = append(options, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-512", os.Args[2], os.Args[3]))
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, address := range cluster.ListenAddrs() {
		fmt.Print(address, " ")
	}
	fmt.Println()
	io.Copy(io.Discard, os.Stdin)
	cluster.Close()
}
